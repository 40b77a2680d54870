package status

// Wants are the numbers of rows that the parts of the chat need.
type Wants struct {
	Tasks    int // the agent's task list: one row while it is folded
	Queue    int // prompts that wait
	Attached int // attachments of the next prompt
	Ask      int // the question above the field, 0 for none
	Popup    int // completions
	Composer int // what is written
	// Quiet means that the status line above a question is empty, which is gap enough.
	Quiet bool
	// Footless means that the last row has nothing to say and is left out.
	Footless bool
}

// Shares are the numbers of rows that the parts get. Header, status line, rule and footer take one each, a question one for its rule.
type Shares struct {
	Air, Gap                                           int // empty rows above and below the conversation
	Body, Tasks, Queue, Attached, Ask, Popup, Composer int
}

// Divide shares the rows of a window out. The conversation always keeps a few rows, and a question comes before lists.
func Divide(height int, w Wants) Shares {
	const minAsk = 3
	fixed := 4
	if w.Footless {
		fixed--
	}
	r := Shares{Composer: max(1, min(w.Composer, height/3))}
	if height >= 16 {
		r.Air = 1
	}
	if height >= 20 && !w.Quiet {
		r.Gap = 1
	}
	least := min(3, max(1, height-fixed-1-r.Composer))
	if w.Ask > 0 && height < 20 {
		least = 1
	}
	left := height - fixed - r.Air - r.Gap - r.Composer - least
	if w.Ask > 0 {
		// The field gives way, so that there is always room to answer.
		r.Composer = min(r.Composer, max(1, height-fixed-least-1-minAsk))
		left = height - fixed - r.Air - r.Gap - r.Composer - least
		r.Ask = max(1, min(w.Ask, left-1))
		left -= r.Ask + 1
	}
	r.Popup = max(0, min(w.Popup, left))
	left -= r.Popup
	r.Queue = max(0, min(w.Queue, min(left, 4)))
	left -= r.Queue
	r.Attached = max(0, min(w.Attached, left, max(1, height/3)))
	left -= r.Attached
	if w.Tasks > 1 || height >= 16 { // a low window shows the list only when it is open
		r.Tasks = max(0, min(w.Tasks, left, max(1, height/3)))
		left -= r.Tasks
	}
	r.Body = least + left
	if r.Body < 0 {
		r.Body = 0
	}
	return r
}
