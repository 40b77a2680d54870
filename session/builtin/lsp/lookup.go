package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/permission"
)

const (
	// maxPlaces bounds the places, maxSymbols the symbols and maxListed the diagnostics in a result; maxHover bounds a
	// hover in bytes.
	maxPlaces  = 100
	maxSymbols = 300
	maxListed  = 100
	maxHover   = 8 << 10
	// maxNested bounds the symbols within each other.
	maxNested = 8
)

var methods = map[string]struct{ method, capability, one, many string }{
	"definition":     {"textDocument/definition", "definitionProvider", "definition", "definitions"},
	"references":     {"textDocument/references", "referencesProvider", "reference", "references"},
	"implementation": {"textDocument/implementation", "implementationProvider", "implementation", "implementations"},
}

func (c *client) lacks(capability, operation string) error {
	if c.caps.can(capability) {
		return nil
	}
	return tool.Errorf("%s cannot do %s. Use Grep and Read.", c.spec.Name, operation)
}

// places answers a question for places.
func (p *Pool) places(ctx context.Context, c *client, q question, at tool.Place, pos position) (session.ToolResult, error) {
	m := methods[q.Operation]
	if err := c.lacks(m.capability, q.Operation); err != nil {
		return session.ToolResult{}, err
	}
	params := struct {
		positionParams
		Context map[string]bool `json:"context,omitempty"`
	}{positionParams: positionParams{documentID{URI: uriOf(at.Real)}, pos}}
	if q.Operation == "references" {
		params.Context = map[string]bool{"includeDeclaration": true}
	}
	var raw json.RawMessage
	if err := c.call(ctx, m.method, params, &raw); err != nil {
		return session.ToolResult{}, err
	}
	list, err := locationsOf(raw)
	if err != nil {
		return session.ToolResult{}, tool.Errorf("%s gave an answer that cannot be read.", c.spec.Name)
	}
	v := p.viewer(ctx)
	var lines []string
	for _, l := range sorted(list) {
		if line, ok := v.line(l); ok {
			lines = append(lines, line)
		}
	}
	return v.result(lines, maxPlaces, m.one, m.many), nil
}

// sorted returns the locations by file and place, each once.
func sorted(list []location) []location {
	slices.SortFunc(list, func(a, b location) int {
		return cmp.Or(cmp.Compare(a.URI, b.URI), cmp.Compare(a.Range.Start.Line, b.Range.Start.Line),
			cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
	})
	return slices.CompactFunc(list, func(a, b location) bool { return a.URI == b.URI && a.Range.Start == b.Range.Start })
}

// viewer turns the places of one answer into lines, within what the model may read.
type viewer struct {
	p     *Pool
	ctx   context.Context
	rules func(path, real string) permission.Ruling
	files map[string][]string // lines of files that were read
	left  int                 // places in files that rules hide
}

func (p *Pool) viewer(ctx context.Context) *viewer {
	v := &viewer{p: p, ctx: ctx, files: map[string][]string{}}
	if p.w.Hidden != nil {
		v.rules = p.w.Hidden(ctx)
	}
	return v
}

// place returns the file of a URI and its lines, which are empty outside of the session's directories: nobody has allowed
// to read there. It returns false for a file that rules hide, and for what is not a file.
func (v *viewer) place(uri string) (real string, lines []string, ok bool) {
	path, ok := pathOf(uri)
	if !ok {
		return "", nil, false
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", nil, false
	}
	ruled := permission.Allow
	if v.rules != nil {
		ruled = v.rules(v.p.tops().display(real), real)
	}
	inside := v.p.tops().of(real) != ""
	switch {
	case ruled == permission.Deny, inside && ruled == permission.Ask:
		v.left++
		return "", nil, false
	case !inside:
		return real, nil, true
	}
	lines, known := v.files[real]
	if !known {
		if content, _, err := readDocument(v.ctx, real); err == nil {
			lines = linesOf(content)
		}
		if len(v.files) < maxPlaces {
			v.files[real] = lines
		}
	}
	return real, lines, true
}

// line returns a place as "path:line:column: text".
func (v *viewer) line(l location) (string, bool) {
	real, lines, ok := v.place(l.URI)
	if !ok {
		return "", false
	}
	n, column, text := uint64(l.Range.Start.Line), int(min(l.Range.Start.Character, 1<<20))+1, ""
	if n < uint64(len(lines)) {
		column = columnAt(lines[n], l.Range.Start.Character)
		text = ": " + cut(strings.TrimSpace(tool.CutLine([]byte(lines[n]))), 240)
	}
	return fmt.Sprintf("%s:%d:%d%s", v.p.w.Short(v.p.tops().display(real)), n+1, column, text), true
}

// result returns lines as a result, at most most.
func (v *viewer) result(lines []string, most int, one, many string) session.ToolResult {
	r := session.ToolResult{Summary: human.Count(len(lines), one, many), Truncated: len(lines) > most}
	var b strings.Builder
	for _, l := range lines[:min(len(lines), most)] {
		b.WriteString(l + "\n")
	}
	if r.Truncated {
		fmt.Fprintf(&b, "(%d of %d)\n", most, len(lines))
	}
	if len(lines) == 0 {
		fmt.Fprintf(&b, "No %s found.\n", many)
	}
	if v.left > 0 {
		fmt.Fprintf(&b, "(left out %s in files that may not be read without asking)\n", human.Count(v.left, "place", "places"))
	}
	r.Text = b.String()
	return r
}

// hover describes a symbol, unless it is defined in a file that the model may not read: its value would be shown.
func (p *Pool) hover(ctx context.Context, c *client, at tool.Place, pos position) (session.ToolResult, error) {
	if err := c.lacks("hoverProvider", "hover"); err != nil {
		return session.ToolResult{}, err
	}
	params := positionParams{documentID{URI: uriOf(at.Real)}, pos}
	if c.caps.can("definitionProvider") {
		var raw json.RawMessage
		v := p.viewer(ctx)
		if err := c.call(ctx, "textDocument/definition", params, &raw); err == nil {
			list, _ := locationsOf(raw)
			for _, l := range list {
				v.place(l.URI)
			}
		}
		if v.left > 0 {
			return session.ToolResult{}, tool.Errorf("The symbol is defined in a file that may not be read without asking.")
		}
	}
	var answer *struct {
		Contents json.RawMessage `json:"contents"`
	}
	if err := c.call(ctx, "textDocument/hover", params, &answer); err != nil {
		return session.ToolResult{}, err
	}
	text := ""
	if answer != nil {
		text = strings.TrimSpace(strings.ToValidUTF8(hoverText(answer.Contents), "\uFFFD"))
	}
	if text == "" {
		return session.ToolResult{Text: c.spec.Name + " knows nothing about this place.\n", Summary: "nothing"}, nil
	}
	return session.ToolResult{Text: cut(text, maxHover) + "\n", Truncated: len(text) > maxHover}, nil
}

// symbols lists what a file declares.
func (p *Pool) symbols(ctx context.Context, c *client, at tool.Place) (session.ToolResult, error) {
	if err := c.lacks("documentSymbolProvider", "symbols"); err != nil {
		return session.ToolResult{}, err
	}
	var list []symbol
	if err := c.call(ctx, "textDocument/documentSymbol", documentParams{documentID{URI: uriOf(at.Real)}}, &list); err != nil {
		return session.ToolResult{}, err
	}
	var lines []string
	outline(list, 0, &lines)
	return p.viewer(ctx).result(lines, maxSymbols, "symbol", "symbols"), nil
}

// outline adds a line for each symbol, those within others indented.
func outline(list []symbol, depth int, lines *[]string) {
	for _, s := range list {
		at := position{}
		switch {
		case s.SelectionRange != nil:
			at = s.SelectionRange.Start
		case s.Location != nil:
			at = s.Location.Range.Start
		}
		text := fmt.Sprintf("%d: %s%s %s", uint64(at.Line)+1, strings.Repeat("  ", depth), kindName(s.Kind), oneLine(s.Name, 120))
		if s.Detail != "" {
			text += " " + oneLine(s.Detail, 160)
		}
		*lines = append(*lines, text)
		if depth < maxNested && len(*lines) < 20*maxSymbols {
			outline(s.Children, depth+1, lines)
		}
	}
}

func oneLine(s string, most int) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return cut(strings.Join(strings.Fields(s), " "), most)
}

// workspaceSymbols looks for symbols by a part of their names, in all servers that run or, if none does, in those of the
// project's languages.
func (p *Pool) workspaceSymbols(ctx context.Context, q question) (session.ToolResult, error) {
	clients, err := p.someReady(ctx)
	if err != nil {
		return session.ToolResult{}, err
	}
	v := p.viewer(ctx)
	var lines []string
	answered, last := false, error(nil)
	for _, c := range clients {
		if !c.caps.can("workspaceSymbolProvider") {
			last = c.lacks("workspaceSymbolProvider", q.Operation)
			continue
		}
		var list []symbol
		if last = c.call(ctx, "workspace/symbol", map[string]string{"query": q.Query}, &list); last != nil {
			continue
		}
		answered = true
		for _, s := range list[:min(len(list), 10*maxPlaces)] {
			if s.Location == nil {
				continue
			}
			if path, ok := pathOf(s.Location.URI); !ok || !within(c.root, path) {
				continue // of a library
			}
			at, ok := v.line(*s.Location)
			if !ok {
				continue
			}
			place, _, _ := strings.Cut(at, ": ")
			name := oneLine(s.Name, 120)
			if s.ContainerName != "" {
				name += " (" + oneLine(s.ContainerName, 120) + ")"
			}
			lines = append(lines, place+": "+kindName(s.Kind)+" "+name)
		}
	}
	if !answered {
		return session.ToolResult{}, last
	}
	return v.result(lines, maxPlaces, "symbol", "symbols"), nil
}

// diagnosticsOf lists the errors and warnings of a file, once the server has settled.
func (p *Pool) diagnosticsOf(ctx context.Context, c *client, at tool.Place) session.ToolResult {
	settled := false
	bounded, cancel := context.WithTimeout(ctx, p.o.Bounds.Call)
	defer cancel()
	if c.take(bounded) == nil {
		version, _, _ := c.fromDisk(ctx, at.Real)
		quick, cancel := context.WithTimeout(ctx, p.o.Bounds.Edit)
		settled = c.settle(quick, waiting{versions: map[string]int{at.Real: version}, sent: time.Now()})
		cancel()
		c.giveBack()
	}
	var list []finding
	for _, f := range c.board.all() {
		if f.path == at.Real {
			list = append(list, f)
		}
	}
	return p.listed(ctx, list, settled)
}

// diagnosticsOfAll lists all known errors and warnings.
func (p *Pool) diagnosticsOfAll(ctx context.Context) session.ToolResult {
	clients, err := p.someReady(ctx)
	if err != nil {
		return session.ToolResult{Text: err.Error() + "\n", Summary: "nothing"}
	}
	settled := true
	var list []finding
	for _, c := range clients {
		bounded, cancel := context.WithTimeout(ctx, p.o.Bounds.Edit)
		if c.take(bounded) == nil {
			settled = c.settle(bounded, c.refresh(ctx)) && settled
			c.giveBack()
		} else {
			settled = false
		}
		cancel()
		list = append(list, c.board.all()...)
	}
	return p.listed(ctx, list, settled)
}

// listed returns findings as a result, errors first.
func (p *Pool) listed(ctx context.Context, list []finding, settled bool) session.ToolResult {
	hide := p.hides(ctx)
	list = slices.DeleteFunc(list, func(f finding) bool { return hide(f.path) })
	slices.SortStableFunc(list, func(a, b finding) int { return cmp.Compare(a.severity, b.severity) })
	errors := 0
	var b strings.Builder
	for i, f := range list {
		if f.severity == severityError {
			errors++
		}
		if i < maxListed {
			b.WriteString(p.line(f) + "\n")
		}
	}
	warnings := len(list) - errors
	if len(list) > maxListed {
		fmt.Fprintf(&b, "(%d of %d)\n", maxListed, len(list))
	}
	summary := human.Count(errors, "error", "errors")
	if warnings > 0 {
		summary += ", " + human.Count(warnings, "warning", "warnings")
	}
	if len(list) == 0 {
		b.WriteString("No errors or warnings.\n")
	}
	if !settled {
		b.WriteString("(the language server was still at work; there may be more)\n")
	}
	return session.ToolResult{Text: b.String(), Summary: summary, Truncated: len(list) > maxListed}
}

// someReady returns the servers that are ready. If none runs, it starts that of the first file of the session's directories
// that has one. Errors are for the model.
func (p *Pool) someReady(ctx context.Context) ([]*client, error) {
	if len(p.running()) == 0 {
		if path := p.someFile(ctx); path != "" {
			at, err := p.w.Place(path)
			if err == nil {
				if _, _, err := p.opened(ctx, p.w, at); err != nil {
					return nil, err
				}
			}
		}
	}
	bounded, cancel := context.WithTimeout(ctx, p.o.Bounds.Call)
	defer cancel()
	var out []*client
	for _, c := range p.running() {
		if c.await(bounded) == nil {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b *client) int {
		return cmp.Or(cmp.Compare(a.spec.Name, b.spec.Name), cmp.Compare(a.root, b.root))
	})
	if len(out) == 0 {
		return nil, tool.Errorf("No language server runs. Give file_path, or use Grep.")
	}
	return out, nil
}
