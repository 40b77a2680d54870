package builtin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/compact"
	"parley/session/builtin/instruct"
	"parley/session/builtin/wire"
)

// row is a line of the breakdown of the window.
type row struct {
	what string
	n    int // how many; 0 where that says nothing
	size int
}

// describeWindow returns what fills the window of the model, as markdown.
func describeWindow(ctx context.Context, c *conversation) string {
	pieces, d := spoken(ctx, c)
	r := d.request(pieces)
	m := &c.top.room
	room := m.of(d.model, r.MaxTokens)
	tokens := func(size int) int64 { return m.gauge.Tokens(d.model.ID, size) }
	used, window := tokens(compact.Size(r)), wire.Window(d.model)
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**: about %s tokens", d.model.ID, human.Tokens(used))
	if window > 0 {
		fmt.Fprintf(&b, " of %s (%s)", human.Tokens(window), percent(used, window))
	}
	b.WriteString("\n\n| | Tokens | Share |\n|:--|--:|--:|\n")
	line := func(what string, n int64) {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", what, human.Tokens(n), percent(n, max(window, used)))
	}
	for _, row := range append(fixedRows(c, r), spokenRows(r)...) {
		what := row.what
		if row.n > 0 {
			what += " (" + human.Number(row.n) + ")"
		}
		line(what, tokens(row.size))
	}
	if room.Start > 0 {
		line("Free before auto-compact", max(room.Start-used, 0))
		if rest := window - max(room.Start, used); rest > 0 {
			line("Kept free for the answer", rest)
		}
	}
	if u := usedRows(c); u.Input+u.CacheRead+u.CacheWrite > 0 {
		fmt.Fprintf(&b, "\n%s of the input was cached.\n", percent(u.CacheRead, u.Input+u.CacheRead+u.CacheWrite))
	}
	return b.String()
}

// percent returns a share in percent.
func percent(part, whole int64) string {
	switch {
	case whole <= 0:
		return ""
	case part > 0 && part*100 < whole:
		return "< 1 %"
	}
	return fmt.Sprintf("%d %%", (part*100+whole/2)/whole)
}

// usedRows returns the tokens of the whole session.
func usedRows(c *conversation) session.Usage {
	sum := c.before
	c.out.read(func(t *session.Transcript) { sum = sum.Add(t.Usage) })
	return sum
}

// fixedRows returns what each request begins with.
func fixedRows(c *conversation, r wire.Request) []row {
	system := 0
	for _, s := range r.System {
		system += len(s.Text)
	}
	var rows []row
	for _, f := range instruct.Sizes(r.System[len(r.System)-1].Text) {
		rows = append(rows, row{what: code(c.top.ws.Short(f.Path)), size: f.Size})
		system -= f.Size
	}
	tools := 0
	for _, t := range r.Tools {
		tools += len(t.Name) + len(t.Description) + len(t.InputSchema)
	}
	return append([]row{{what: "System prompt", size: system}}, append(rows, row{what: "Tools", n: len(r.Tools), size: tools})...)
}

// spokenRows returns what the conversation consists of, by kind. The sizes are those of what is sent.
func spokenRows(r wire.Request) []row {
	order := []string{"Summary", "Your prompts", "Reminders", "Images and documents", "Answers", "Reasoning", "Tool calls"}
	sums := map[string]*row{}
	add := func(what string, size int) {
		if sums[what] == nil {
			sums[what] = &row{what: what}
			if !slices.Contains(order, what) {
				order = append(order, what)
			}
		}
		sums[what].n++
		sums[what].size += size
	}
	names := map[string]string{}
	for _, m := range r.Messages {
		for _, c := range m.Content {
			size := compact.SizeOf(wire.Piece{Blocks: []wire.Content{c}})
			switch {
			case c.Type == "tool_use":
				names[c.ID] = c.Name
				add("Tool calls", size)
			case c.Type == "tool_result":
				add("Results of "+names[c.ToolUseID], size)
			case c.Type == "image" || c.Type == "document":
				add("Images and documents", size)
			case c.Type != "text":
				add("Reasoning", size)
			case m.Role == "assistant":
				add("Answers", size)
			case wire.IsSummary(c.Text):
				add("Summary", size)
			case strings.HasPrefix(c.Text, "<system-reminder>"):
				add("Reminders", size)
			default:
				add("Your prompts", size)
			}
		}
	}
	var out []row
	for _, what := range order {
		if sums[what] != nil {
			out = append(out, *sums[what])
		}
	}
	return out
}
