package input

import "parley/ui/textarea"

// text is the text of the field and the prompts that up and down recall.
type text struct {
	composer *textarea.Composer
	past     []string // the prompts of this session, oldest first
}

// Empty reports whether nothing is written. Attachments do not count.
func (t *text) Empty() bool { return t.composer.Empty() }

// Value returns the text with folded pastes unfolded.
func (t *text) Value() string { return t.composer.Value() }

// Begins reports whether the text begins with a prefix, which holds no line break.
func (t *text) Begins(prefix string) bool { return t.composer.Begins(prefix) }

// Draft returns the text as compose stores it, without the attachments.
func (t *text) Draft() string { return t.composer.Draft() }

// SetHistory sets the prompts of the session, oldest first. Repetitions in a row count once.
func (t *text) SetHistory(prompts []string) {
	t.past = prompts
	t.composer.SetHistory(prompts)
}

// Remember adds a prompt to the history.
func (t *text) Remember(text string) {
	if n := len(t.past); n > 0 && t.past[n-1] == text {
		return
	}
	t.past = append(t.past[:len(t.past):len(t.past)], text)
	t.composer.SetHistory(t.past)
}
