package claude

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"parley/session/claude/mapper"
)

// maxShellOutput bounds the output that is shown of a background command, in bytes.
const maxShellOutput = 64 << 10

// shellOutput returns the end of a background command's output if the line reports the end of the command. file returns the
// output file of a task, for lines without it; dir is where the runtime keeps them. It reads a file, so it must be called without a lock.
func shellOutput(dir string, line []byte, file func(task string) string) string {
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
		return endOf(dir, l.File)
	case l.Subtype == "task_updated" && mapper.TaskEnded(l.Patch.Status):
		return endOf(dir, file(l.Task))
	}
	return ""
}

// endOf returns the last lines of an output file, at most maxShellOutput bytes, "" if it cannot be read.
func endOf(dir, path string) string {
	f, size, err := openOutput(dir, path)
	if err != nil {
		return ""
	}
	defer f.Close()
	cut := size > maxShellOutput
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
