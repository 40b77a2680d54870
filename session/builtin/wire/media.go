package wire

import (
	"slices"
	"strings"

	"parley/session"
)

const (
	// mediaStep is the number of bytes of images and documents that are left out at once when a conversation has too many: of a
	// history, the newest one to two steps are sent. A step rather than a sliding bound keeps most requests in the cache.
	mediaStep = 4 << 20
	// minMedia is the smallest count of an image or a document, which bounds their number.
	minMedia = mediaStep / 40
)

// The texts that stand in place of what a model does not get.
const (
	unseenImage    = "[An image stands here, which this model cannot see.]"
	unreadDocument = "[A PDF document stands here, which this model cannot read.]"
	leftOutMedia   = "[An earlier image or document stood here. It is no longer sent; read the file again if it matters.]"
)

// mediaBlocks returns the blocks of the images and documents of a result.
func mediaBlocks(media []session.Media) []Content {
	var out []Content
	for _, m := range media {
		if len(m.Data) == 0 {
			continue
		}
		kind := "document"
		if strings.HasPrefix(m.MediaType, "image/") {
			kind = "image"
		}
		out = append(out, Content{Type: kind, Source: &Source{"base64", m.MediaType, m.Data}})
	}
	return out
}

// FitMedia replaces what the model cannot see, and images and documents that were sent long ago, with texts. It is pure,
// and changes no block that other messages share.
func FitMedia(messages []Message, model session.Model) []Message {
	total := 0
	for _, m := range messages {
		for _, c := range m.Content {
			total += c.mediaSize()
		}
	}
	if total == 0 {
		return messages
	}
	f := mediaFilter{model: model, from: (total/mediaStep - 1) * mediaStep}
	for i, m := range messages {
		if slices.ContainsFunc(m.Content, func(c Content) bool { return c.mediaSize() > 0 }) {
			messages[i].Content = f.blocks(m.Content)
		}
	}
	return messages
}

// mediaFilter goes over the blocks of all messages in order.
type mediaFilter struct {
	model session.Model
	at    int // size of the media so far
	from  int // what begins before is left out
}

func (f *mediaFilter) blocks(blocks []Content) []Content {
	out := slices.Clone(blocks)
	for i := range out {
		switch c := &out[i]; {
		case len(c.Blocks) > 0:
			c.Blocks = f.blocks(c.Blocks)
		case c.isMedia():
			begin := f.at
			f.at += c.mediaSize()
			if text := f.instead(*c, begin); text != "" {
				*c = Content{Type: "text", Text: text}
			}
		}
	}
	return out
}

// instead returns the text in place of an image or a document, "" if it is sent. Of a model that the service does not
// describe, nothing is known, and the service decides.
func (f *mediaFilter) instead(c Content, begin int) string {
	known := f.model.Name != ""
	switch {
	case c.Type == "image" && known && !f.model.Vision:
		return unseenImage
	case c.Type == "document" && known && !f.model.PDF:
		return unreadDocument
	case begin < f.from:
		return leftOutMedia
	}
	return ""
}

func (c Content) isMedia() bool {
	return c.Source != nil && (c.Type == "image" || c.Type == "document")
}

// mediaSize returns what the images and documents of a block count.
func (c Content) mediaSize() int {
	if c.isMedia() {
		return max(len(c.Source.Data), minMedia)
	}
	n := 0
	for _, b := range c.Blocks {
		n += b.mediaSize()
	}
	return n
}
