package sim

import (
	"strings"
	"testing"
)

// TestCacheLooksBack reads from the cache only what ended at a mark, at most 20 blocks before a mark of the request.
func TestCacheLooksBack(t *testing.T) {
	long := strings.Repeat("word ", 400)
	for name, c := range map[string]struct {
		blocks int // after the marked one
		marks  []int
		read   bool
	}{
		"20 blocks":                      {20, []int{20}, true},
		"21 blocks":                      {21, []int{21}, false},
		"21 blocks and a mark between":   {21, []int{10, 21}, true},
		"the mark stays":                 {30, []int{0, 30}, true},
		"the request marks nothing":      {3, nil, false},
		"a mark where nothing was kept":  {30, []int{5, 30}, true},
		"a mark 21 behind the kept part": {40, []int{21, 40}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, Options{Script: parseScript(t, `rules: [{reply: ok}]`)})
			read := func(list ...any) float64 {
				v := post(t, s, with(m{"stream": false, "messages": list})).object(t)
				return dig(v, "usage").(map[string]any)["cache_read_input_tokens"].(float64)
			}
			if got := read(user(l{marked(long)})); got != 0 {
				t.Fatalf("the first request read %v", got)
			}
			blocks := l{words(long)}
			for range c.blocks {
				blocks = append(blocks, words("more"))
			}
			for _, i := range c.marks {
				text := "more"
				if i == 0 {
					text = long
				}
				blocks[i] = marked(text)
			}
			got := read(user(blocks))
			if all, reusable := s.Cached(); (got > 400) != c.read || float64(all) != got || reusable < 400 {
				t.Errorf("read %v, %v in all, of %v", got, all, reusable)
			}
		})
	}
}

// TestForeignCacheNeedsNoMarks reads the longest beginning that was sent before, as OpenAI's protocols do.
func TestForeignCacheNeedsNoMarks(t *testing.T) {
	s := start(t, Options{Script: parseScript(t, `rules: [{reply: ok}]`)})
	read := func(list ...any) float64 {
		body := mustJSON(m{"model": "gpt-5.4", "stream": false, "messages": list})
		v := do(t, request(t, s, "POST", "/chat/completions", string(body))).object(t)
		return dig(v, "usage", "prompt_tokens_details").(map[string]any)["cached_tokens"].(float64)
	}
	long := strings.Repeat("word ", 400)
	if got := read(user(long)); got > 10 {
		t.Errorf("the first request read %v", got)
	}
	if got := read(user(long), assistant("ok"), user("more")); got < 400 {
		t.Errorf("the second request read %v", got)
	}
	if got := read(user(long+"!"), assistant("ok"), user("more")); got > 10 {
		t.Errorf("another beginning read %v", got)
	}
}
