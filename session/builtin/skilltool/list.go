package skilltool

import (
	"fmt"
	"slices"
	"strings"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/extensions/skill"
)

const (
	// maxList bounds the list that a session begins with, in bytes: about 2,000 tokens.
	maxList = 8000
	// maxAbout and minAbout bound a description in it: the most, and the least where there are many.
	maxAbout, minAbout = 250, 40
	// maxFound bounds the skills that a search returns.
	maxFound = 12
	begin    = "<skills>"
	end      = "</skills>"
)

// List returns the skills that a model is offered with their descriptions, "" for none. Where there are many the descriptions are
// shorter, or left out, and in the end names, too; the tool finds them all.
func List(all []skill.Skill) string {
	all = slices.DeleteFunc(slices.Clone(all), func(s skill.Skill) bool { return !s.Offered() })
	if len(all) == 0 {
		return ""
	}
	names := 0
	for _, s := range all {
		names += len(line(s, 0))
	}
	about := maxAbout
	if room := (maxList - names) / len(all); room < about+2 {
		if about = room - 5; about < minAbout {
			about = 0
		}
		if rest := lengths(all, about, names); about > 0 && rest > 0 { // what short descriptions leave is for longer ones
			about = min(maxAbout, about+rest/len(all))
		}
	}
	var b strings.Builder
	b.WriteString(begin + "\n")
	for i, s := range all {
		text := line(s, about)
		if b.Len()+len(text) > maxList {
			fmt.Fprintf(&b, "- and %d more: call Skill with a query to find them\n", len(all)-i)
			break
		}
		b.WriteString(text)
	}
	return b.String() + end + "\n"
}

// lengths returns how much of the room is left with descriptions of a length, in bytes.
func lengths(all []skill.Skill, about, names int) int {
	used := names
	for _, s := range all {
		used += len(line(s, about)) - len(line(s, 0))
	}
	return maxList - used
}

// line returns the line of a skill, with a description of a length in bytes.
func line(s skill.Skill, about int) string {
	text := "- " + s.Name
	if s.Origin == session.CustomRepository {
		text += " (project)"
	}
	if said := plain(s.About); about > 0 && said != "" {
		if len(said) > about {
			said = strings.ToValidUTF8(said[:about], "") + "…"
		}
		text += ": " + said
	}
	return text + "\n"
}

// plain returns a description that cannot end the list.
func plain(s string) string { return strings.NewReplacer("<", "(", ">", ")").Replace(s) }

// Listed returns the list in a text that a model has read, "" for none, and the newest of several.
func Listed(text string) string {
	from := strings.LastIndex(text, begin+"\n")
	if from < 0 {
		return ""
	}
	list, _, _ := strings.Cut(text[from:], end)
	return list + end + "\n"
}

// Changed returns what a model is told whose newest list is before, "" if the list is the same.
func Changed(before, now string) string {
	none := begin + "\n" + end + "\n"
	switch {
	case before == now, now == "" && before == none:
		return ""
	case now == "":
		return "There are no skills any more.\n" + none
	}
	return "The skills that the tool Skill loads are now:\n" + now
}

// matching returns the offered skills that fit a query best.
func matching(all []skill.Skill, query string) []skill.Skill {
	all = slices.DeleteFunc(slices.Clone(all), func(s skill.Skill) bool { return !s.Offered() })
	return tool.Best(all, query, maxFound, func(s skill.Skill) (name, about string) { return s.Name, s.About })
}
