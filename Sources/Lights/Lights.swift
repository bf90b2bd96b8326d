// The lights: in goes what is to be shown, out come levels on GPIO lines and bytes for strips of
// lights. A process of its own does it, so that neither a slow strip nor a crash of the counting
// holds lights in a state that means nothing. Depends on Announcing for what strips show and on
// libgpiod.
