package search

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"parley/internal/nearest"
	"parley/session/builtin/tool"
)

// typeTable is the types of files by the names that ripgrep gives them, with the names of their files. A word with a dot in
// front is an extension, any other a pattern of whole names.
const typeTable = `
ada .adb .ads
asciidoc .adoc .asc .asciidoc
asm .S .asm .s
asp .ascx .ascx.cs .ascx.vb .asp .aspx .aspx.cs .aspx.vb
astro .astro
awk .awk
bat|batch .bat
bazel .BUILD .bazel .bazelrc .bzl BUILD MODULE.bazel WORKSPACE WORKSPACE.bazel
bitbake .bb .bbappend .bbclass .conf .inc
c *.[chH] *.[chH].in .cats
cabal .cabal
clojure .clj .cljc .cljs .cljx
cmake .cmake CMakeLists.txt
cmd .bat .cmd
coffeescript .coffee
config .cfg .conf .config .ini
coq .v
cpp *.[ChH] *.[ChH].in *.[ch]pp *.[ch]pp.in *.[ch]xx *.[ch]xx.in .cc .cc.in .hh .hh.in .inl
crystal .cr .ecr Projectfile shard.yml
cshtml .cshtml
csproj .csproj
css .css .scss
csv .csv
cs|csharp .cs
cuda .cu .cuh
cython .pxd .pxi .pyx
d .d
dart .dart
devicetree|dts .dts .dtsi
dhall .dhall
diff .diff .patch
docker *Dockerfile*
dockercompose docker-compose.*.yml docker-compose.yml
ebuild .ebuild .eclass
edn .edn
elisp .el
elixir .eex .ex .exs .heex .leex .livemd
elm .elm
erb .erb
erlang .erl .hrl
fennel .fnl
fidl .fidl
fish .fish
flatbuffers .fbs
fortran .F .F77 .F90 .F95 .f .f77 .f90 .f95 .pfo
fsharp .fs .fsi .fsx
gleam .gleam
gn .gn .gni
go .go
gradle .gradle .gradle.kts gradle-wrapper.* gradle.properties gradlew gradlew.bat
graphql .graphql .graphqls
groovy .gradle .groovy
h .h .hh .hpp
haml .haml
hare .ha
haskell .c2hs .cpphs .hs .hsc .lhs
hbs .hbs
hs .hs .lhs
html .ejs .htm .html
janet .janet
java .java .jsp .jspx .properties
jinja .j2 .jinja .jinja2
jl|julia .jl
json .json .sarif composer.lock
jsonl .jsonl
jsx .jsx
js|javascript .cjs .js .jsx .mjs .vue
jupyter .ipynb .jpynb
kotlin|kt .kt .kts
lean .lean
less .less
lisp .el .jl .lisp .lsp .sc .scm
lock .lock package-lock.json
log .log
lua .lua
m4 .ac .m4
make .mak .mk [Gg][Nn][Uu]makefile [Gg][Nn][Uu]makefile.am [Gg][Nn][Uu]makefile.in [Mm]akefile [Mm]akefile.am [Mm]akefile.in
markdown|md .markdown .md .mdown .mdwn .mdx .mkd .mkdn
matlab .m
meson meson.build meson.options meson_options.txt
ml .ml
mojo .mojo
msbuild .csproj .fsproj .proj .props .sln .targets .vcxproj
nim .nim .nimble .nimf .nims
nix .nix
notebook .ipynb
nu .nu
objc .h .m
objcpp .h .mm
ocaml .ml .mli .mll .mly
org .org .org_archive
pants BUILD
pascal .dpr .inc .lpr .pas .pp
perl .PL .perl .pl .plh .plx .pm .t
php .php .php3 .php4 .php5 .php7 .php8 .pht .phtml
pod .pod
prolog .P .pl .pro .prolog
proto .proto
protobuf .proto
ps .cdxml .ps1 .ps1xml .psd1 .psm1
puppet .epp .erb .pp .rb
purs .purs
py|python .py .pyi
qml .qml
r .R .Rmd .Rnw .r
racket .rkt
raku .p6 .pl6 .pm6 .raku .rakudoc .rakumod .rakutest
reasonml .re .rei
rescript .res .resi
rst .rst
ruby|rb .gemspec .rb .rbw .irbrc Gemfile Rakefile config.ru
rust|rs .rs
sass .sass .scss
scala .sbt .scala
sh .bash .bashrc .csh .cshrc .ksh .kshrc .sh .tcsh .zsh .bash_login .bash_logout .bash_profile .bashrc .cshrc .kshrc .login .logout .profile .tcshrc .zlogin .zlogout .zprofile .zshenv .zshrc bash_login bash_logout bash_profile bashrc profile zlogin zlogout zprofile zshenv zshrc
sml .sig .sml
solidity .sol
spec .spec
sql .psql .sql
stylus .styl
sv .h .sv .svh .v .vg
svelte .svelte
svg .svg
swift .swift
systemd .automount .conf .device .link .mount .path .scope .service .slice .socket .swap .target .timer
tcl .tcl
tex .bib .cls .dtx .ins .ltx .sty .tex
texinfo .texi
tf|terraform .auto.tfvars .auto.tfvars.json .terraform.lock.hcl .terraformrc .tf .tf.json .tfrc terraform.rc terraform.tfvars terraform.tfvars.json
thrift .thrift
toml .toml Cargo.lock
tsx .tsx
ts|typescript .cts .mts .ts .tsx
twig .twig
txt .txt
v .v .vsh
vala .vala
vb .vb
verilog .sv .svh .v .vh
vhdl .vhd .vhdl
vim|vimscript .vim .gvimrc .vimrc _gvimrc _vimrc gvimrc vimrc
vue .vue
wgsl .wgsl
xml .dtd .rng .sch .xhtml .xjb .xml .xml.dist .xsd .xsl .xslt
yacc .y
yaml .yaml .yml
yang .yang
zig .zig
zon .zon
zsh .zsh .zlogin .zlogout .zprofile .zshenv .zshrc zlogin zlogout zprofile zshenv zshrc
`

// types are the files of the types that a call names. Nil has all files.
type types struct {
	extensions map[string]bool
	patterns   []string
}

// typesByName is the table by the names of the types.
var typesByName = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(typeTable) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		for name := range strings.SplitSeq(words[0], "|") {
			all[name] = words[1:]
		}
	}
	return all
})

// parseTypes reads names separated by commas or spaces. Its error is for the model.
func parseTypes(text string) (*types, error) {
	names := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	if len(names) == 0 {
		return nil, nil
	}
	t := &types{extensions: map[string]bool{}}
	for _, name := range names {
		words, ok := typesByName()[strings.TrimPrefix(name, ".")]
		if !ok {
			return nil, unknownType(name)
		}
		for _, word := range words {
			if strings.HasPrefix(word, ".") {
				t.extensions[word] = true
			} else {
				t.patterns = append(t.patterns, word)
			}
		}
	}
	return t, nil
}

// unknownType returns an error that names the most similar types.
func unknownType(name string) error {
	hint := ""
	if short := strings.TrimSuffix(strings.ToLower(name), "lang"); typesByName()[short] != nil && short != name {
		hint = " Did you mean " + short + "?"
	} else if like := nearest.Of(name, slices.Sorted(maps.Keys(typesByName()))); like != "" {
		hint = " Did you mean " + like + "?"
	}
	return tool.Errorf("There is no file type %q.%s Use glob instead, such as *.%s, or a type such as go, py, ts, js, rust, java, md.",
		name, hint, strings.TrimPrefix(name, "."))
}

// has reports whether a file is of one of the types.
func (t *types) has(name string) bool {
	if t == nil {
		return true
	}
	for rest := name; ; {
		dot := strings.IndexByte(rest, '.')
		if dot < 0 {
			break
		}
		if t.extensions[rest[dot:]] {
			return true
		}
		rest = rest[dot+1:]
	}
	return slices.ContainsFunc(t.patterns, func(pattern string) bool {
		ok, _ := path.Match(pattern, name)
		return ok
	})
}
