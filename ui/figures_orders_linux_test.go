package ui

import (
	"fmt"
	"time"
)

// stream lets text stream and waits for its end on the screen. It returns the reply and what the process spent meanwhile.
func (c *onPty) stream(tokens, rate int, mark rune) (end, used spent) {
	c.b.Helper()
	before := c.spent()
	c.order(fmt.Sprintf("stream %d %d %d", tokens, rate, mark))
	end = c.reply()
	time.Sleep(150 * time.Millisecond)
	after := c.spent()
	used = spent{CPU: after.CPU - before.CPU, Written: after.Written - before.Written,
		Writes: after.Writes - before.Writes}
	time.Sleep(200 * time.Millisecond)
	return end, used
}

func (c *onPty) order(line string) {
	c.b.Helper()
	if _, err := c.orders.WriteString(line + "\n"); err != nil {
		c.b.Fatal(err)
	}
}

func (c *onPty) reply() (r spent) {
	c.b.Helper()
	if err := c.replies.Decode(&r); err != nil {
		c.b.Fatal(err)
	}
	return r
}

func (c *onPty) ask(line string) spent {
	c.b.Helper()
	c.order(line)
	return c.reply()
}

func (c *onPty) spent() spent { c.b.Helper(); return c.ask("spent") }
