// Package status lays out the rows around the conversation: the header, the agent's tasks, the queue, the status
// line, and the footer. It also shares the rows of the window out among the parts of the chat.
//
// In come plain values; out go styled rows of a given width. Apart from the open task list and the place of the spinner
// nothing is stored here. The package handles no key, starts no timer, and makes text from outside visible unless a field is
// documented as visible.
package status
