package cloud

import (
	"strconv"
	"strings"
)

// selection is a field of a selection set, or an inline fragment: its type is then set.
type selection struct {
	name, alias string
	on          string
	args        object
	set         []selection
}

// queryParser parses the part of GraphQL's language that clients of this service use: one operation without named
// fragments and directives.
type queryParser struct {
	tokens    []string
	at        int
	variables object
}

// tokens splits a query.
func tokens(query string) []string {
	var out []string
	for i := 0; i < len(query); {
		c := query[i]
		switch {
		case strings.ContainsRune(" \t\r\n,", rune(c)):
			i++
		case strings.HasPrefix(query[i:], "..."):
			out, i = append(out, "..."), i+3
		case c == '"':
			end := i + 1
			for end < len(query) && query[end] != '"' {
				if query[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(query))
			out, i = append(out, query[i:end]), end
		case isWord(c):
			end := i
			for end < len(query) && isWord(query[end]) {
				end++
			}
			out, i = append(out, query[i:end]), end
		default:
			out, i = append(out, query[i:i+1]), i+1
		}
	}
	return out
}

// isWord reports whether a byte belongs to a name, a number or a variable.
func isWord(c byte) bool {
	return c == '_' || c == '$' || c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (p *queryParser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

func (p *queryParser) take() string {
	t := p.peek()
	p.at++
	return t
}

// operation parses a query down to its selection set.
func (p *queryParser) operation() ([]selection, error) {
	if kind := p.peek(); kind == "mutation" || kind == "subscription" {
		return nil, refusal("the simulated GitHub has no " + kind)
	}
	for depth := 0; ; {
		switch t := p.peek(); {
		case t == "":
			return nil, refusal("Unexpected end of document")
		case t == "{" && depth == 0:
			return p.set(0)
		case t == "(":
			depth++
		case t == ")":
			depth--
		}
		p.at++
	}
}

// deepest bounds the nesting of a query.
const deepest = 30

// set parses a selection set.
func (p *queryParser) set(depth int) ([]selection, error) {
	if depth > deepest {
		return nil, refusal("the query is too deep")
	}
	p.take() // "{"
	out := []selection{}
	for p.peek() != "}" {
		f := selection{}
		switch t := p.take(); {
		case t == "":
			return nil, refusal("Unexpected end of document")
		case t == "...":
			if p.peek() == "on" {
				p.take()
				f.on = p.take()
			}
		default:
			f.name, f.alias = t, t
			if p.peek() == ":" {
				p.take()
				f.name = p.take()
			}
		}
		if p.peek() == "(" {
			f.args = p.arguments()
		}
		if p.peek() == "{" {
			var err error
			if f.set, err = p.set(depth + 1); err != nil {
				return nil, err
			}
		}
		out = append(out, f)
	}
	p.take() // "}"
	return out, nil
}

// arguments parses the arguments of a field, with the values of variables.
func (p *queryParser) arguments() object {
	p.take() // "("
	args := object{}
	for p.peek() != ")" && p.peek() != "" {
		name := p.take()
		if p.take() != ":" {
			break
		}
		args[name] = p.value()
	}
	p.take() // ")"
	return args
}

func (p *queryParser) value() any {
	t := p.take()
	switch {
	case t == "[":
		list := []any{}
		for p.peek() != "]" && p.peek() != "" {
			list = append(list, p.value())
		}
		p.take()
		return list
	case strings.HasPrefix(t, "$"):
		return p.variables[t[1:]]
	case strings.HasPrefix(t, `"`):
		text, _ := strconv.Unquote(t)
		return text
	}
	return t
}

// refusal is an error of GraphQL, in the words of GitHub.
type refusal string

func (r refusal) Error() string { return string(r) }
