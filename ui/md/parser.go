package md

import (
	"bytes"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxDepth is the depth to which quotes and lists nest. Deeper markers are text: each line costs the depth of its block, and each level
// costs cells.
const maxDepth = 24

// markdown returns the parser, which is safe for concurrent use. Freezing depends on its set of extensions: definition lists
// would reopen closed lists, footnotes would collect at the end, heading ids would carry state.
var markdown = sync.OnceValue(func() parser.Parser {
	p := parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(shallow{parser.NewListParser()}, 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(parser.NewHTMLBlockParser(), 900),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(mathParser{}, 90),
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(newLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
			util.Prioritized(parser.NewEmphasisParser(), 500),
		),
		parser.WithParagraphTransformers(util.Prioritized(definitionParser{}, 100)),
	)
	return goldmark.New(goldmark.WithParser(p), goldmark.WithExtensions(extension.GFM)).Parser()
})

// shallow is a container parser that stops at maxDepth.
type shallow struct{ parser.BlockParser }

// Open opens the container unless its parent is at the limit.
func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if n.Kind() != ast.KindListItem { // a list and its items are one level
			depth++
		}
	}
	if depth > maxDepth {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// definitionParser removes link reference definitions from paragraphs, except for footnotes ([^1]:), which stay text.
type definitionParser struct{}

// maxDefinitions bounds the definitions of a paragraph: goldmark takes time with the square of their number.
const maxDefinitions = 1000

// Transform passes the lines before the first footnote to goldmark's transformer.
func (definitionParser) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines := node.Lines()
	at := footnote(lines, reader.Source())
	if at < 0 && lines.Len() > maxDefinitions || at > maxDefinitions {
		at = maxDefinitions
	}
	if at < 0 {
		parser.LinkReferenceParagraphTransformer.Transform(node, reader, pc)
		return
	}
	if at == 0 {
		return
	}
	rest := append([]text.Segment(nil), lines.Sliced(at, lines.Len())...)
	lines.SetSliced(0, at)
	parent, next := node.Parent(), node.NextSibling()
	parser.LinkReferenceParagraphTransformer.Transform(node, reader, pc)
	if node.Parent() == nil { // only definitions preceded it
		parent.InsertBefore(parent, next, node)
	}
	node.Lines().AppendAll(rest)
}

// footnote returns the index of the first line that begins with [^, or -1.
func footnote(lines *text.Segments, src []byte) int {
	for i := range lines.Len() {
		s := lines.At(i)
		if bytes.HasPrefix(bytes.TrimLeft(s.Value(src), " \t"), []byte("[^")) {
			return i
		}
	}
	return -1
}

// references are the definitions of a document: normalised label to definition. The first of a label wins.
type references map[string]parser.Reference

// scope is a parse context with earlier definitions.
type scope struct {
	parser.Context
	outer references
	own   references
}

func newScope(outer references) *scope {
	return &scope{Context: parser.NewContext(), outer: outer}
}

// AddReference records a definition unless its label has one already.
func (s *scope) AddReference(ref parser.Reference) {
	key := util.ToLinkReference(ref.Label())
	if _, ok := s.outer[key]; ok {
		return
	}
	if _, ok := s.own[key]; ok {
		return
	}
	if s.own == nil {
		s.own = references{}
	}
	s.own[key] = ref
}

// Reference returns the definition of a normalised label.
func (s *scope) Reference(label string) (parser.Reference, bool) {
	if r, ok := s.outer[label]; ok {
		return r, true
	}
	r, ok := s.own[label]
	return r, ok
}

// References lists the definitions of this parse, in no order.
func (s *scope) References() []parser.Reference {
	var rs []parser.Reference
	for _, r := range s.own {
		rs = append(rs, r)
	}
	return rs
}

func parse(src []byte, outer references) (ast.Node, *scope) {
	sc := newScope(outer)
	return markdown().Parse(text.NewReader(src), parser.WithContext(sc)), sc
}
