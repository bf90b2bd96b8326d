// The serial console: in go lines a person types on a tty, out come commands; in go events and
// answers, out come lines of text or JSON. It never waits for the tty: what cannot be written is
// kept or dropped, and a tty that is gone is looked for again. Depends on Announcing for lines,
// Commands for what they ask, and CSystem.
