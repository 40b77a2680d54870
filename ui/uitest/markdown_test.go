package uitest

import (
	"testing"

	"parley/session"
)

// answers are what agents write, by the feature of markdown that they show.
var answers = map[string]string{
	"lists": `1. one
2. two
   - nested **bold**
     - deeper ` + "`code`" + `, and long enough to be wrapped in each of the windows in which these lists are shown here
3. 三つ目

- [ ] to do
- [x] done
`,
	"tables": `| Option | Default | What it is for |
|:---|:---:|---:|
| ` + "`screen`" + ` | alt | Where the chat is drawn, which is<br>the whole window or the scrollback of the terminal |
| 日本語 | なし | これは非常に長い説明文ですので、折り返す必要があります |
`,
	"quotes": `> A quote
> over two lines
> > and one **within**

> [!WARNING]
> The timer is started too late.
`,
	"code": "Start it first:\n\n```go\nfunc (c *Client) do(req *http.Request) (*http.Response, error) { // this is long enough to go on in the next row\n" +
		"\ttimer := time.NewTimer(backoff) // 先に\n}\n```\n",
	"diff": "```diff\n@@ -41,2 +41,2 @@ func do(\n-\tresp, err := c.Do(req)\n+\ttimer := time.NewTimer(backoff)\n \treturn resp\n```\n",
	"links": `A [link](https://example.com/a/path?with=query), <https://example.com>, the file [retry.go](ui/retry.go:42),
![a picture](https://example.com/x.png) and a footnote[^1].

[^1]: The note.
`,
	"math": `Inline $E = mc^2$, money $5 and $10, and

$$
\int_0^\infty e^{-x^2} dx = \frac{\sqrt{\pi}}{2}
$$
`,
	"html": `Press <kbd>Ctrl</kbd>,<br>then &copy;.

<details>
<summary>More</summary>

Hidden **words**.

</details>
`,
}

// TestMarkdownScreens shows what agents write.
func TestMarkdownScreens(t *testing.T) {
	show := func(p *Program, text, name string) {
		p.Type("show me")
		turn := p.Turn()
		turn.Text(text)
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Keys("alt+up")
		p.Settle()
		p.Golden(name)
	}
	for kind, text := range answers {
		t.Run(kind, func(t *testing.T) {
			atSizes(t, Config{}, func(p *Program, size string) { show(p, text, "markdown-"+kind+"-"+size) })
			Run(t, Config{}, func(p *Program) {
				p.Send("\x1b]11;rgb:ffff/ffff/eeee\x07") // the terminal's background is light
				p.Settle()
				show(p, text, "markdown-"+kind+"-light-80x24")
			})
		})
	}
}
