// Life under a service manager: in go the moments of a run, out go the messages that systemd
// expects of a service, and the priorities that its journal reads at the beginning of a line.
// Without a service manager nothing is sent. Depends on Announcing for texts of fixed size.
