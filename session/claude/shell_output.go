package claude

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"

	"parley/session/claude/mapper"
)

// maxShellOutput is how much of the end of what a background command wrote is shown, in bytes.
const maxShellOutput = 64 << 10

// shellOutput returns the end of what a background command has written, if the line tells the end of one; file returns
// where a task writes to, for a line that does not say. It reads a file, so it is called before a lock is taken.
func shellOutput(line []byte, file func(task string) string) string {
	if !bytes.Contains(line, []byte(`"task_notification"`)) && !bytes.Contains(line, []byte(`"task_updated"`)) {
		return ""
	}
	var l struct {
		Subtype string `json:"subtype"`
		File    string `json:"output_file"`
		Task    string `json:"task_id"`
		Patch   struct{ Status string }
	}
	if json.Unmarshal(line, &l) != nil {
		return ""
	}
	switch {
	case l.Subtype == "task_notification":
		return endOf(l.File)
	case l.Subtype == "task_updated" && mapper.TaskEnded(l.Patch.Status):
		return endOf(file(l.Task))
	}
	return ""
}

// endOf returns the last lines of a file, at most maxShellOutput bytes, "" if it cannot be read.
func endOf(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	cut := info.Size() > maxShellOutput
	if cut {
		if _, err := f.Seek(-maxShellOutput, io.SeekEnd); err != nil {
			return ""
		}
	}
	data, err := io.ReadAll(io.LimitReader(f, maxShellOutput))
	if err != nil {
		return ""
	}
	if _, rest, ok := bytes.Cut(data, []byte("\n")); cut && ok {
		data = rest
	}
	return strings.ToValidUTF8(string(data), "\uFFFD")
}
