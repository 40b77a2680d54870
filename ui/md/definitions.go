package md

import (
	"bytes"
	"maps"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// definitions are the link reference definitions of a growing document.
type definitions struct {
	frozen references        // in the frozen part
	open   references        // in the open rest
	known  map[string]string // label to address of those that the frozen rows were made with
}

// freeze adds the definitions in a node to those of the frozen part.
func (d *definitions) freeze(n ast.Node) {
	if def, ok := n.(*ast.LinkReferenceDefinition); ok {
		key := util.ToLinkReference(def.Label)
		if _, ok := d.frozen[key]; !ok {
			if d.frozen == nil {
				d.frozen = references{}
			}
			// A copy: the node would retain its whole tree.
			d.frozen[key] = parser.NewReference(bytes.Clone(def.Label), bytes.Clone(def.Destination), bytes.Clone(def.Title))
		}
		return
	}
	for c := n.FirstChild(); c != nil && c.Type() == ast.TypeBlock; c = c.NextSibling() {
		d.freeze(c)
	}
}

// all returns the definitions of the frozen part, and of the open rest those of other labels.
func (d *definitions) all() references {
	all := references{}
	maps.Copy(all, d.open)
	maps.Copy(all, d.frozen)
	return all
}

// update sets the definitions of the open rest and returns the labels that are defined otherwise than before.
func (d *definitions) update(open references) (changed map[string]bool) {
	d.open = open
	if len(open) == 0 && len(d.known) == len(d.frozen) {
		return nil // all definitions are frozen
	}
	now := make(map[string]string, len(d.frozen)+len(open))
	for k, r := range d.all() {
		now[k] = string(r.Destination())
	}
	changed = map[string]bool{}
	for k, v := range now {
		if old, ok := d.known[k]; !ok || old != v {
			changed[k] = true
		}
	}
	for k := range d.known {
		if _, ok := now[k]; !ok {
			changed[k] = true
		}
	}
	d.known = now
	return changed
}

func (p *part) uses(changed map[string]bool) bool {
	for _, l := range p.labels {
		if changed[l] {
			return true
		}
	}
	return false
}

// labels returns what may be labels of references in src, normalised: each text in brackets without a bracket in it.
func labels(src []byte) (ls []string) {
	open := -1
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '[':
			open = i
		case ']':
			if open >= 0 && i-open <= 1000 {
				ls = append(ls, util.ToLinkReference(src[open+1:i]))
			}
			open = -1
		}
	}
	return ls
}
