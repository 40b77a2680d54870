package files

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"parley/session/builtin/tool"
)

// notebook is a Jupyter notebook of format 4 as models read it.
type notebook struct {
	Cells    []cell `json:"cells"`
	Format   int    `json:"nbformat"`
	Minor    int    `json:"nbformat_minor"`
	Metadata struct {
		Language struct {
			Name string `json:"name"`
		} `json:"language_info"`
	} `json:"metadata"`
}

// cell is one cell of a notebook.
type cell struct {
	ID      string   `json:"id"`
	Type    string   `json:"cell_type"`
	Source  words    `json:"source"`
	Count   *int     `json:"execution_count"`
	Outputs []output `json:"outputs"`
}

// output is one output of a code cell. Kind decides which fields are used.
type output struct {
	Kind  string                     `json:"output_type"`
	Text  words                      `json:"text"`
	Data  map[string]json.RawMessage `json:"data"`
	Name  string                     `json:"ename"`
	Value string                     `json:"evalue"`
}

// words is a text that a notebook stores as a string or as a list of strings.
type words string

// UnmarshalJSON takes both forms. Anything else is no text.
func (w *words) UnmarshalJSON(b []byte) error {
	var whole string
	if json.Unmarshal(b, &whole) == nil {
		*w = words(whole)
		return nil
	}
	var parts []string
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	*w = words(strings.Join(parts, ""))
	return nil
}

// cellOutput bounds the outputs of one cell that a model reads, in bytes.
const cellOutput = 8 << 10

// isNotebook reports whether a path is that of a notebook.
func isNotebook(path string) bool { return strings.HasSuffix(strings.ToLower(path), ".ipynb") }

// readNotebook reads a notebook. Errors say why the content is none that can be shown by cells.
func readNotebook(content []byte) (*notebook, error) {
	var n notebook
	if err := json.Unmarshal(content, &n); err != nil {
		return nil, fmt.Errorf("it is not a notebook in JSON: %w", err)
	}
	if n.Format != 4 {
		return nil, fmt.Errorf("it has the notebook format %d, and only 4 is known", n.Format)
	}
	return &n, nil
}

// find returns the index of a cell by its id or its number from 1.
func (n *notebook) find(name string) (int, error) {
	for i, c := range n.Cells {
		if c.ID == name && name != "" {
			return i, nil
		}
	}
	if number, err := strconv.Atoi(name); err == nil && number >= 1 && number <= len(n.Cells) {
		return number - 1, nil
	}
	return 0, tool.Errorf("There is no cell %q. Give a cell_id that Read shows, or the number of a cell from 1 to %d.", name, len(n.Cells))
}

// show returns the cells of a notebook with their outputs, from the offset-th, from 1; limit 0 means all. whole is false if
// something of the cells is left out.
func (n *notebook) show(offset, limit int) (text string, shown int, whole bool) {
	var b strings.Builder
	offset = max(offset, 1)
	fmt.Fprintf(&b, "(notebook with %d cells", len(n.Cells))
	if n.Metadata.Language.Name != "" {
		b.WriteString(", in " + n.Metadata.Language.Name)
	}
	b.WriteString(")\n")
	whole = offset == 1
	for i := offset - 1; i < len(n.Cells); i++ {
		if limit > 0 && shown == limit || b.Len() > readBytes {
			fmt.Fprintf(&b, "\n(cells %d to %d of %d; read on with offset %d)\n", offset, i, len(n.Cells), i+1)
			return b.String(), shown, false
		}
		if !n.Cells[i].show(&b, i+1) {
			whole = false
		}
		shown++
	}
	if offset > len(n.Cells) && offset > 1 {
		fmt.Fprintf(&b, "(there is no cell %d)\n", offset)
	}
	return b.String(), shown, whole
}

// show adds a cell, its source with line numbers, and reports whether all of the source is there.
func (c *cell) show(b *strings.Builder, number int) (whole bool) {
	fmt.Fprintf(b, "\ncell %d: %s", number, c.Type)
	if c.ID != "" {
		b.WriteString(", cell_id " + strconv.Quote(c.ID))
	}
	if c.Count != nil {
		fmt.Fprintf(b, ", run as [%d]", *c.Count)
	}
	b.WriteString("\n")
	source := []byte(c.Source)
	if len(source) == 0 {
		b.WriteString("(empty)\n")
	} else {
		r := numbered(source, 1, 0)
		b.WriteString(r.Text)
		whole = !r.Truncated
	}
	var out strings.Builder
	for _, o := range c.Outputs {
		o.show(&out)
	}
	if out.Len() > 0 {
		s := strings.TrimRight(out.String(), "\n")
		b.WriteString("output:\n" + clip(s, cellOutput) + "\n")
	}
	return whole || len(source) == 0
}

// show adds an output as text. Images and the like are named.
func (o *output) show(b *strings.Builder) {
	switch o.Kind {
	case "error":
		fmt.Fprintf(b, "%s: %s\n", o.Name, o.Value)
		return
	case "stream":
		b.WriteString(strings.TrimRight(string(o.Text), "\n") + "\n")
		return
	}
	var plain words
	if raw, ok := o.Data["text/plain"]; ok && json.Unmarshal(raw, &plain) == nil {
		b.WriteString(strings.TrimRight(string(plain), "\n") + "\n")
	}
	for _, kind := range []string{"image/png", "image/jpeg", "image/svg+xml", "text/html"} {
		if raw, ok := o.Data[kind]; ok && (plain == "" || kind != "text/html") {
			fmt.Fprintf(b, "(%s, %d bytes)\n", kind, len(raw))
		}
	}
}

// clip cuts a text in the middle.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	head, tail := s[:most/2], s[len(s)-most/2:]
	return strings.ToValidUTF8(head, "") + fmt.Sprintf("\n(%d bytes left out)\n", len(s)-most) + strings.ToValidUTF8(tail, "")
}
