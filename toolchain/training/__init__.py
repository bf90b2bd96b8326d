"""Training, quantisation and export of the networks Receh runs."""
