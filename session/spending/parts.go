package spending

import (
	"slices"
	"time"

	"parley/session"
)

// Parts say what one session cost by what it was spent on, in nano AI units. A request of an agent in this process or of the Copilot
// runtime is one; of Claude Code it is what the proxy had counted when a message came.
type Parts struct {
	// Total is everything, Children what child agents cost, Compaction what summaries did; the rest are prompts and rounds of tools.
	Total, Children, Compaction int64
	// Requests is the number of costs of Total, without those of children and summaries.
	Requests int
	// Prompts are the turns that cost anything, Agents the child agents, both in the order of their first cost.
	Prompts []Prompt
	Agents  []Agent
}

// Prompt is what one prompt cost, with all that it set off.
type Prompt struct {
	Turn     session.TurnID
	Text     string
	NanoAIU  int64
	Requests int // of the agent itself
	// At is the time of its first cost, Model that of its newest request.
	At    time.Time
	Model string
	// Children is what child agents cost, Tools what requests after the first cost, Compaction what summaries did.
	Children, Tools, Compaction int64
}

// Agent is what child agents of one kind cost.
type Agent struct {
	Name    string
	NanoAIU int64
}

// PartsOf folds the events of a session. What a copy took over counts too: it is the history of this one.
func PartsOf(events []session.Event) Parts {
	f := folder{texts: map[session.TurnID]string{}, kinds: map[session.ChildID]string{}}
	for _, e := range events {
		f.add(e)
	}
	return f.p
}

// folder is a fold of events. since are the costs since the agent last said or did anything: a summary says nothing.
type folder struct {
	p     Parts
	texts map[session.TurnID]string
	kinds map[session.ChildID]string
	since []session.CreditsReported
	model string
}

func (f *folder) add(e session.Event) {
	switch e := e.(type) {
	case session.TurnStarted:
		f.texts[e.Turn] = e.Prompt.Text
		f.since = nil
	case session.ModelChanged:
		f.model = e.Model
	case session.UsageReported:
		if e.Model != "" && e.Child == "" {
			f.model = e.Model
		}
	case session.ChildStarted:
		f.kinds[e.ID] = e.Name
	case session.CreditsReported:
		f.cost(e)
	case session.Compacted:
		f.summary()
	case session.PartStarted, session.PartReplaced, session.ToolStarted, session.ToolEnded, session.TurnEnded:
		if e.Header().Child == "" {
			f.since = nil
		}
	}
}

// cost adds a cost to its turn, and to its child or the requests of the agent itself.
func (f *folder) cost(e session.CreditsReported) {
	f.p.Total += e.NanoAIU
	i := slices.IndexFunc(f.p.Prompts, func(p Prompt) bool { return p.Turn == e.Turn })
	if i < 0 {
		i = len(f.p.Prompts)
		f.p.Prompts = append(f.p.Prompts, Prompt{Turn: e.Turn, Text: f.texts[e.Turn], At: e.At})
	}
	p := &f.p.Prompts[i]
	p.NanoAIU += e.NanoAIU
	if e.Child == "" {
		f.p.Requests++
		if p.Model = f.model; p.Requests > 0 {
			p.Tools += e.NanoAIU
		}
		p.Requests++
		f.since = append(f.since, e)
		return
	}
	f.p.Children += e.NanoAIU
	p.Children += e.NanoAIU
	name := f.kinds[e.Child]
	if i = slices.IndexFunc(f.p.Agents, func(a Agent) bool { return a.Name == name }); i < 0 {
		i = len(f.p.Agents)
		f.p.Agents = append(f.p.Agents, Agent{Name: name})
	}
	f.p.Agents[i].NanoAIU += e.NanoAIU
}

// summary takes the newest cost for that of a summary, if nothing was said or done since.
func (f *folder) summary() {
	if len(f.since) == 0 {
		return
	}
	e := f.since[len(f.since)-1]
	f.since = nil
	f.p.Compaction += e.NanoAIU
	f.p.Requests--
	if i := slices.IndexFunc(f.p.Prompts, func(p Prompt) bool { return p.Turn == e.Turn }); i >= 0 {
		p := &f.p.Prompts[i]
		p.Compaction += e.NanoAIU
		if p.Requests--; p.Requests > 0 {
			p.Tools -= e.NanoAIU
		}
	}
}
