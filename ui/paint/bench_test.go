package paint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

// The cost of a frame, from rows to bytes, without the terminal.
func BenchmarkScreen(b *testing.B) {
	for _, size := range [][2]int{{120, 40}, {240, 70}} {
		w, h := size[0], size[1]
		for name, text := range map[string]string{
			"ascii":  strings.Repeat("word ", w/5-2),
			"styled": strings.Repeat("\x1b[1;38;2;1;2;3mword\x1b[m ", w/5-2),
			"wide":   strings.Repeat("漢字", w/4-2),
		} {
			rows := make([]string, h)
			for y := range rows {
				rows[y] = fmt.Sprintf("%03d %s", y, text)
			}
			run := func(what string, change func(i int, rows []string)) {
				b.Run(fmt.Sprintf("%s/%s/%dx%d", what, name, w, h), func(b *testing.B) {
					s := newScreen(colorprofile.TrueColor, true)
					s.resize(w, h)
					mine := append([]string(nil), rows...)
					s.paint(mine, Pos{})
					sent, n := 0, 0
					b.ReportAllocs()
					for b.Loop() {
						change(n, mine)
						s.out.Reset()
						s.paint(mine, Pos{})
						sent += s.out.Len()
						n++
					}
					b.ReportMetric(float64(sent)/float64(n), "wire-B/op")
				})
			}
			run("letter", func(i int, rows []string) { rows[h-2] = rows[0][:20] + string(rune('a'+i%26)) })
			run("row more", func(i int, rows []string) {
				copy(rows[1:h-2], rows[2:h-2])
				rows[h-3] = fmt.Sprintf("%d %s", i, text)
			})
			run("all", func(i int, rows []string) {
				for y := range rows {
					rows[y] = fmt.Sprintf("%d %d %s", i, y, text)
				}
			})
		}
	}
}
