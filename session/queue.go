package session

import "slices"

// Queue holds the waiting prompts, the next one first.
type Queue []Prompt

// index returns the position of a prompt, -1 if it is not in the queue.
func (q Queue) index(id PromptID) int {
	return slices.IndexFunc(q, func(p Prompt) bool { return p.ID == id })
}

// add appends a prompt unless it is in the queue.
func (q *Queue) add(p Prompt) (changed bool) {
	if q.index(p.ID) >= 0 {
		return false
	}
	*q = append(*q, p)
	return true
}

// remove removes a prompt and returns it.
func (q *Queue) remove(id PromptID) (p Prompt, ok bool) {
	i := q.index(id)
	if i < 0 {
		return Prompt{}, false
	}
	p = (*q)[i]
	*q = slices.Delete(*q, i, i+1)
	return p, true
}

// move moves a prompt before another one, or to the end if that is not in the queue.
func (q *Queue) move(id, before PromptID) (changed bool) {
	from := q.index(id)
	if from < 0 || before == id {
		return false
	}
	p := (*q)[from]
	rest := slices.Delete(slices.Clone(*q), from, from+1)
	to := rest.index(before)
	if to < 0 {
		to = len(rest)
	}
	if to == from {
		return false
	}
	*q = slices.Insert(rest, to, p)
	return true
}
