package uitest

import (
	"testing"
)

func TestChangesLook(t *testing.T) {
	for name, size := range map[string][2]int{"changes": {120, 40}, "changes-80x24": {80, 24}, "changes-40x12": {40, 12}} {
		r := &record{}
		Run(t, Config{Width: size[0], Height: size[1], Options: withChanges(r)}, func(p *Program) {
			work(p, r)
			p.Type("/changes")
			p.Settle()
			p.Golden(name)
			p.Keys("down", "down")
			p.Golden(name + "-file")
			p.Keys("enter")
			p.Golden(name + "-reads")
			p.Keys("s")
			p.Golden(name + "-split")
			p.Keys("s", "esc", "tab", "?")
			p.Golden(name + "-by-file")
		})
	}
}
