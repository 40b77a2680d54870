package scenario

import (
	"fmt"
	"path/filepath"
	"strings"

	"parley/session"
)

// Dirs lets a model read a file of another directory while that is one of the session's from its start, when it is no more, while it is
// again, and so on, also from a child agent. Only while it is, nobody is asked.
func Dirs(s Stage) {
	there := filepath.Join(s.Home, "there")
	asked := make(chan session.Asked, 100)
	s.Answers(func(a session.Asked) (session.Answer, bool) {
		asked <- a
		return session.Answer{Decision: session.Deny}, true
	})
	asks := func() (n int) {
		for len(asked) > 0 {
			<-asked
			n++
		}
		return n
	}
	for i, step := range []struct {
		dirs []string
		free bool
	}{{[]string{there}, true}, {nil, false}, {[]string{there}, true}, {nil, false}, {[]string{there}, true}} {
		s.Further(step.dirs...)
		for _, from := range []string{"", s.Delegate} {
			name := fmt.Sprintf("%d-%d.txt", i, len(from)) // a runtime shows the same file only once
			s.files(there, map[string]string{name: "from the other place\n"})
			s.files(s.Dir, map[string]string{name: "from here\n"})
			for path, text := range map[string]string{filepath.Join(there, name): "from the other place", filepath.Join(s.Dir, name): "from here"} {
				free := step.free || text == "from here"
				end := s.call(from+"show the file "+path, func(e session.ToolStarted) bool {
					return (e.Child != "") == (from != "") && !strings.Contains(e.Name, "task") && e.Name != "Agent"
				})
				if n := asks(); n > 0 == free || (end.Outcome == session.ToolOK) != free || strings.Contains(end.Result.Text, text) != free {
					s.Errorf("%sshow the file %s with %q: %d asks, %+v", from, path, step.dirs, n, end)
				}
				if body := s.Newest(); step.free && !strings.Contains(body, there+`\n`) && !strings.Contains(body, there+"`") {
					s.Errorf("the model was not told of the directory: %.2000s", body)
				}
			}
		}
	}
}
