package ui

import (
	"context"
	"errors"
	"os"
	"strings"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/compose"
	"parley/ui/files"
	"parley/ui/style"
)

// This file is the way of a prompt in lines: the files it names behind @, the images whose paths stand in it and what
// commands of the user's shell wrote go along. They are read in the background, and prompts stay in their order.

// plainOut is a prompt on its way.
type plainOut struct {
	prompt session.Prompt
	ready  bool
	err    error
}

// post sends a line with all that goes along.
func (p *lineChat) post(text string) {
	text = strings.TrimSpace(text)
	out := &plainOut{prompt: session.Prompt{Text: text, Attachments: p.along}, ready: true}
	p.along = nil
	p.outbox = append(p.outbox, out)
	mentions, images := compose.Mentions(text), imagePaths(text)
	if len(mentions)+len(images) == 0 {
		p.deliver()
		return
	}
	out.ready = false
	t := p.opts.treeOf(p.a.dir)
	p.background(func() func() {
		ctx, cancel := context.WithTimeout(p.ctx, readPatience)
		defer cancel()
		with, said := mentioned(ctx, t, mentions, "")
		for i := range images {
			images[i] = t.Path(images[i])
		}
		pictures, err := readImages(ctx, existing(images))
		return func() {
			out.ready, out.err = true, err
			out.prompt.Attachments = append(out.prompt.Attachments, append(with, pictures...)...)
			for _, why := range said {
				p.say("note", style.OneLine(why))
			}
			p.deliver()
		}
	})
}

// deliver hands over the prompts that are complete, and says what goes along.
func (p *lineChat) deliver() {
	for len(p.outbox) > 0 && p.outbox[0].ready {
		out := p.outbox[0]
		p.outbox = p.outbox[1:]
		if out.err != nil {
			p.along = append(keepAlong(out.prompt.Attachments), p.along...)
			p.say("error", "not sent: "+style.OneLine(out.err.Error()))
			continue
		}
		var names []string
		for _, a := range out.prompt.Attachments {
			names = append(names, chat.AttachmentName(p.look.Dir, p.look.Home, a))
		}
		if names != nil {
			p.say("note", "goes along: "+strings.Join(names, "; "))
		}
		id, err := p.session.Send(out.prompt)
		if err != nil {
			p.problem(err)
			continue
		}
		p.sent[id] = true
	}
}

// imagePaths are the words of a text that look like the paths of images: absolute or in the home directory, in quotes or
// with backslashes where they have blanks.
func imagePaths(text string) (all []string) {
	for text != "" {
		var word string
		word, text = shellWord(text)
		if path, ok := files.PastedImage(word); ok {
			all = append(all, path)
		} else if path, ok := files.PastedImage(strings.TrimRight(word, ".,;:!?)")); ok {
			all = append(all, path)
		}
	}
	return all
}

// shellWord cuts a text behind its first word, as a shell reads it; a quote within a word is an apostrophe.
func shellWord(text string) (word, rest string) {
	text = strings.TrimLeft(text, " \t\n")
	if text == "" {
		return "", ""
	}
	if text[0] == '\'' || text[0] == '"' {
		if n := strings.IndexByte(text[1:], text[0]); n > 0 {
			return text[:n+2], text[n+2:]
		}
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case ' ', '\t', '\n':
			return text[:i], text[i:]
		}
	}
	return text, ""
}

// existing are the paths at which there is something: others are only words.
func existing(paths []string) (all []string) {
	for _, path := range paths {
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			all = append(all, path)
		}
	}
	return all
}
