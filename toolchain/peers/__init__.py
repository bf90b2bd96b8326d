"""The same networks and weights in other engines, timed beside ours. See Benchmarks/peers."""
