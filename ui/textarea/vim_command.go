package textarea

// command is a command of vim as far as it was typed.
type command struct {
	keys   []string
	count  int    // before the operator
	op     string // an operator that waits for its motion
	count2 int    // before the motion
	prefix string // a key that waits for another
}

// maxCount bounds the count of a command.
const maxCount = 9999

// clear drops what was typed.
func (c *command) clear() { *c = command{keys: c.keys[:0]} }

// digit adds a key to a count and reports whether it belongs to one.
func (c *command) digit(key string) bool {
	n := &c.count
	if c.op != "" {
		n = &c.count2
	}
	if len(key) != 1 || key[0] < '0' || key[0] > '9' || key == "0" && *n == 0 {
		return false
	}
	*n = min(*n*10+int(key[0]-'0'), maxCount)
	return true
}

// counted reports whether the command has a count.
func (c *command) counted() bool { return c.count > 0 || c.count2 > 0 }

// times returns the count of the command, 1 if it has none.
func (c *command) times() int { return min(max(c.count, 1)*max(c.count2, 1), maxCount) }
