package cli

// closers are undone at the end of a run, last first.
type closers []func()

func (c *closers) add(f func()) { *c = append(*c, f) }

func (c *closers) run() {
	for len(*c) > 0 {
		last := len(*c) - 1
		f := (*c)[last]
		*c = (*c)[:last]
		f()
	}
}
