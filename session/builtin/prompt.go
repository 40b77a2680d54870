package builtin

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"parley/session/builtin/tool"

	"parley/internal/gitdir"
)

// systemPrompt returns the system prompt: the words of its role, where it is, and its instructions. left are the instruction
// files that were left out.
func systemPrompt(ctx context.Context, words string, w *tool.Workspace, o Options) (prompt string, left []string) {
	var b strings.Builder
	b.WriteString(words)
	b.WriteString("\n<environment>\n")
	fmt.Fprintf(&b, "Working directory: %s\n", w.Dir)
	for _, d := range w.Dirs {
		fmt.Fprintf(&b, "Further directory: %s\n", d)
	}
	fmt.Fprintf(&b, "Platform: %s/%s\n", runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(&b, "Date: %s\n", o.Now().Format("2006-01-02"))
	if branch := gitdir.Branch(ctx, w.Dir); branch != "" {
		fmt.Fprintf(&b, "Git branch: %s\n", branch)
	} else if _, ok := gitdir.Root(ctx, w.Dir); !ok {
		b.WriteString("Not a git repository\n")
	}
	b.WriteString("</environment>\n")
	text, left := instructions(ctx, o.ConfigDir, o.Home, w.Dir)
	if text != "" {
		b.WriteString("\nThe user's instructions. The later ones are more specific and win.\n" + text)
	}
	return b.String(), left
}
