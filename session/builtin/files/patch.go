package files

import (
	"context"
	"encoding/json"

	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// ApplyPatch changes several files by a patch, in the format that GPT models are trained on.
var ApplyPatch = &tool.Tool{
	Name: "apply_patch", Kind: toolview.Edit,
	Description: "Changes files by a patch: all of it, or nothing if a part of it does not apply. The patch has this form:\n\n" +
		"*** Begin Patch\n*** Update File: path/of/a.py\n*** Move to: path/of/b.py\n@@ def before_the_change():\n context line\n-line to remove\n" +
		"+line to add\n context line\n*** Add File: path/of/new.py\n+every line of a new file begins with +\n*** Delete File: path/of/old.py\n*** End Patch\n\n" +
		"Paths are absolute or relative to the working directory. \"*** Move to:\" is optional. In an updated file, give three lines of " +
		"context before and after each change, each behind a space, exactly as they stand in the file. If they occur more than once, " +
		"precede them with \"@@ \" and a line that stands before them, such as that of the class or function. Hunks stand in the order " +
		"of the file. There are no line numbers.",
	Schema: `{"type":"object","properties":{` +
		`"input":{"type":"string","description":"The whole patch, from *** Begin Patch to *** End Patch"}},` +
		`"required":["input"],"additionalProperties":false}`,
	Prepare: prepareApplyPatch,
}

// maxPatched bounds the files of a patch.
const maxPatched = 100

func prepareApplyPatch(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Input string `json:"input"`
	}
	if err := tool.DecodeInput(input, &in, "input"); err != nil {
		return nil, err
	}
	sections, err := parsePatch(in.Input)
	if err != nil {
		return nil, err
	}
	if len(sections) > maxPatched {
		return nil, tool.Errorf("The patch changes %d files. Send at most %d at once.", len(sections), maxPatched)
	}
	a := &patching{w: w, sections: sections}
	all, err := a.resolve()
	if err != nil {
		return nil, err
	}
	return change(w, all, a.plan), nil
}

// patching is the work on one patch.
type patching struct {
	w        *tool.Workspace
	sections []section
	// at and to are the places of the sections; to is that of a file that moves.
	at, to []tool.Place
}

// resolve returns the places of a patch. No two sections may lead to the same file.
func (a *patching) resolve() ([]tool.Place, error) {
	var all []tool.Place
	taken := map[string]string{}
	take := func(path string) (tool.Place, error) {
		p, err := a.w.Place(path)
		if err != nil {
			return p, err
		}
		key := p.Real
		if key == "" {
			key = p.Path
		}
		if other, ok := taken[key]; ok {
			return p, tool.Errorf("The patch names %s twice (as %s). Put all changes of a file into one section.", path, other)
		}
		taken[key] = path
		all = append(all, p)
		return p, nil
	}
	for i := range a.sections {
		s := &a.sections[i]
		at, err := take(s.path)
		var to tool.Place
		if err == nil && s.to != "" {
			if same, _ := a.w.Place(s.to); same.Path == at.Path {
				s.to = ""
			} else {
				to, err = take(s.to)
			}
		}
		if err != nil {
			return nil, err
		}
		a.at, a.to = append(a.at, at), append(a.to, to)
	}
	return all, nil
}

// plan reads the files and returns their new contents.
func (a *patching) plan(ctx context.Context) ([]revision, error) {
	var out []revision
	for i, s := range a.sections {
		revisions, err := a.section(ctx, s, a.at[i], a.to[i])
		if err != nil && len(a.sections) > 1 {
			err = tool.Errorf("%w No file was changed.", err)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, revisions...)
	}
	return out, nil
}

func (a *patching) section(ctx context.Context, s section, at, to tool.Place) ([]revision, error) {
	if s.op == addFile {
		if !at.Missing() {
			return nil, tool.Errorf("%s exists, or its directory cannot be reached. Use *** Update File to change a file.", a.w.Short(at.Path))
		}
		return []revision{{at: at, created: true, after: []byte(s.content)}}, nil
	}
	before, info, err := a.w.Read(ctx, at)
	if err != nil {
		return nil, err
	}
	if s.op == deleteFile {
		return []revision{{at: at, deleted: true, before: before}}, nil
	}
	t, err := readable(a.w, at, before)
	if err != nil {
		return nil, err
	}
	patched, err := applyHunks(t.s, s.hunks)
	if err != nil {
		return nil, tool.Errorf("%s: %w", a.w.Short(at.Path), err)
	}
	after, part := t.encode(patched), !a.w.Files.Whole(at.Path)
	if s.to == "" {
		return []revision{{at: at, before: before, after: after, part: part}}, nil
	}
	if !to.Missing() {
		return nil, tool.Errorf("%s cannot be moved to %s, which exists or cannot be reached.", a.w.Short(at.Path), a.w.Short(to.Path))
	}
	return []revision{{at: to, created: true, after: after, mode: info.Mode().Perm(), part: part}, {at: at, deleted: true, before: before}}, nil
}
