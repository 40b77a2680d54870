package jsonedit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"
)

// requestText is a request of about a megabyte: so many messages, each with two blocks, some of which are marked for the cache.
func requestText(messages int) string {
	var b strings.Builder
	b.WriteString(`{"model":"claude-opus-4.8","max_tokens":64000,"stream":true,"thinking":{"type":"enabled","budget_tokens":4096},"messages":[`)
	for i := range messages {
		if i > 0 {
			b.WriteByte(',')
		}
		mark := ""
		if i%(messages/10) == 0 {
			mark = `,"cache_control":{"type":"ephemeral"}`
		}
		fmt.Fprintf(&b, `{"role":"user","content":[{"type":"text","text":"%s"%s},{"type":"tool_result","tool_use_id":"t%d","content":"%s"}]}`,
			strings.Repeat("some words of a prompt \\n", 20), mark, i, strings.Repeat("a line of output\\n", 30))
	}
	b.WriteString(`],"metadata":{"user_id":"u"}}`)
	return b.String()
}

// BenchmarkRepair changes the model of a request, and takes ten marks and a member out of it: with this package, and with gjson and
// sjson. The proxy does such work on every request.
func BenchmarkRepair(b *testing.B) {
	text := []byte(requestText(1000))
	b.Run("jsonedit", func(b *testing.B) {
		block := &Shape{Members: map[string]*Shape{"cache_control": {}, "type": {}}}
		message := &Shape{Members: map[string]*Shape{"content": {Elements: block}}}
		shape := &Shape{Members: map[string]*Shape{"model": {}, "metadata": {}, "messages": {Elements: message}}}
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			d, err := Read(text, shape)
			if err != nil {
				b.Fatal(err)
			}
			root := d.Root()
			d.Replace(d.Member(root, "model"), `"claude-sonnet-5"`)
			d.DeleteMember(root, "metadata")
			for m := range d.Children(d.Member(root, "messages")) {
				for part := range d.Children(d.Member(m, "content")) {
					d.DeleteMember(part, "cache_control")
				}
			}
			if out := d.Bytes(); len(out) >= len(text) {
				b.Fatal("nothing was taken out")
			}
			d.Release()
		}
	})
	b.Run("gjson", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if !gjson.ValidBytes(text) {
				b.Fatal("not valid")
			}
			var gone []string
			at := 0
			gjson.GetBytes(text, "messages").ForEach(func(_, m gjson.Result) bool {
				n := 0
				m.Get("content").ForEach(func(_, part gjson.Result) bool {
					if part.Get("cache_control").Exists() {
						gone = append(gone, fmt.Sprintf("messages.%d.content.%d.cache_control", at, n))
					}
					n++
					return true
				})
				at++
				return true
			})
			out, err := sjson.SetBytes(text, "model", "claude-sonnet-5")
			for _, path := range append(gone, "metadata") {
				if err == nil {
					out, err = sjson.DeleteBytes(out, path)
				}
			}
			if err != nil || len(out) >= len(text) {
				b.Fatal("nothing was taken out", err)
			}
		}
	})
}
