package jsonrpc

import (
	"unicode/utf8"

	"parley/internal/jsonedit"
)

// plainNotification returns the method and the params of a notification that consists of the members jsonrpc, method and,
// optionally, params, each once and written plainly. ok is false for every other message, which the library decodes: it reads
// params into a tree and writes them again, which costs 20 times as much. params is a part of content, nil if there are none.
func plainNotification(content []byte) (method string, params []byte, ok bool) {
	s := jsonedit.Scan(content)
	var version, name, args jsonedit.Span
	for more := s.TopObject(); more; more = s.NextMember() {
		key := s.Key()
		if s.Err() != nil {
			return "", nil, false
		}
		var value *jsonedit.Span
		switch string(content[key.From:key.To]) {
		case `"jsonrpc"`:
			value = &version
		case `"method"`:
			value = &name
		case `"params"`:
			value = &args
		}
		if value == nil || *value != (jsonedit.Span{}) {
			return "", nil, false
		}
		*value = s.Value()
	}
	if s.End() != nil || string(content[version.From:version.To]) != `"2.0"` {
		return "", nil, false
	}
	quoted := content[name.From:name.To]
	if len(quoted) < 3 || quoted[0] != '"' {
		return "", nil, false
	}
	for _, c := range quoted[1 : len(quoted)-1] {
		if c == '\\' || c >= utf8.RuneSelf {
			return "", nil, false
		}
	}
	if args != (jsonedit.Span{}) {
		params = content[args.From:args.To:args.To]
	}
	return string(quoted[1 : len(quoted)-1]), params, true
}
