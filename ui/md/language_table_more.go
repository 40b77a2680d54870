package md

// scriptLanguages are those without braces around what is done.
func scriptLanguages() []language {
	return []language{
		{
			names: "python py python3 pyi ipython starlark bzl bazel", line: []string{"#"}, calls: true, decorator: '@', types: true,
			strings: []quote{triple, tripleS, double, single},
			keys: "and as assert async await break class continue def del elif else except finally for from global if import in " +
				"is lambda nonlocal not or pass raise return try while with yield match case type",
			known: "abs all any bool bytes callable dict enumerate filter float frozenset getattr hasattr id input int isinstance " +
				"iter len list map max min next object open ord print property range repr reversed round set setattr sorted " +
				"staticmethod classmethod str sum super tuple type vars zip self cls",
			consts: "True False None NotImplemented Ellipsis",
		},
		{
			names: "ruby rb rake gemfile rakefile crystal", line: []string{"#"}, block: [2]string{"=begin", "=end"},
			strings: []quote{longD, longS}, calls: true, types: true, variable: '@', inWords: "?!",
			keys: "alias and begin break case class def defined? do else elsif end ensure for if in module next not or redo rescue " +
				"retry return super then undef unless until when while yield require require_relative include extend attr_reader " +
				"attr_writer attr_accessor private public protected raise puts lambda proc loop",
			consts: "true false nil self __FILE__ __LINE__",
		},
		{
			names: "elixir ex exs", line: []string{"#"}, strings: []quote{triple, double, single}, calls: true, types: true, decorator: '@',
			inWords: "?!",
			keys: "after alias and case catch cond def defdelegate defexception defguard defimpl defmacro defmodule defp " +
				"defprotocol defstruct do else end fn for if import in not or quote raise receive require rescue super try unless " +
				"unquote use when with",
			consts: "true false nil",
		},
		{
			names: "lua luau", line: []string{"--"}, block: [2]string{"--[[", "]]"}, calls: true,
			strings: []quote{double, single, {open: "[[", close: "]]", multi: true}},
			keys:    "and break do else elseif end for function goto if in local not or repeat return then until while",
			known:   "print pairs ipairs require table string math io os self type tostring tonumber setmetatable pcall error assert",
			consts:  "true false nil",
		},
		{
			names: "perl pl pm raku", line: []string{"#"}, strings: []quote{longD, longS}, calls: true, variable: '$',
			keys: "and cmp continue do else elsif eq foreach for ge given gt if last le local lt my ne next no not or our package " +
				"print printf redo require return say sub unless until use when while xor",
		},
		{
			names: "r rlang julia jl", line: []string{"#"}, strings: []quote{triple, longD, single}, calls: true, inWords: ".!", decorator: '@',
			keys: "if else elseif for while repeat function return break next in begin end do module struct mutable using import " +
				"export const let local global try catch finally macro quote library require",
			consts: "TRUE FALSE NULL NA NaN Inf true false nothing missing",
		},
	}
}

// functionalLanguages are those in which everything is an expression.
func functionalLanguages() []language {
	return []language{
		{
			names: "haskell hs elm purescript", line: []string{"--"}, block: [2]string{"{-", "-}"}, nests: true, strings: []quote{double, char},
			types: true, inWords: "'",
			keys: "case class data default deriving do else exposing forall foreign if import in infix infixl infixr instance let " +
				"module newtype of port qualified then type where",
		},
		{
			names: "ocaml ml mli sml", block: [2]string{"(*", "*)"}, nests: true, strings: []quote{longD, char}, types: true, inWords: "'",
			keys: "and as assert begin class constraint do done downto else end exception external for fun function functor if in " +
				"include inherit initializer lazy let match method module mutable new object of open or private rec sig struct then " +
				"to try type val virtual when while with",
			consts: "true false",
		},
		{
			names: "clojure clj cljs edn lisp el elisp scheme scm racket", line: []string{";"}, strings: []quote{longD},
			inWords: "-?!*+<>=/", decorator: ':',
			keys: "def defn defn- defmacro defun defvar defparameter define lambda fn let let* letrec loop recur if cond when unless " +
				"case do progn begin set! setq quote ns require import for doseq and or not",
			consts: "nil true false t",
		},
	}
}

// shellLanguages are those of command lines.
func shellLanguages() []language {
	return []language{
		{
			names: "sh bash zsh shell ksh fish ash dash env dotenv", line: []string{"#"}, hashInWords: true, strings: []quote{longD, longS},
			variable: '$', inWords: "-",
			keys: "if then else elif fi case esac for select while until do done in function time return exit break continue local " +
				"export declare readonly typeset unset shift set source alias eval exec trap begin end",
			known: "awk cat cd chmod chown cp curl cut date dirname docker echo env find gh git go grep head jq kill ln ls make mkdir " +
				"mv node npm npx printf pwd python python3 read rm rmdir sed sleep sort ssh sudo tail tar tee test touch tr uniq wc " +
				"wget which xargs",
			consts: "true false",
		},
		{
			names: "powershell ps1 pwsh", line: []string{"#"}, block: [2]string{"<#", "#>"}, variable: '$', fold: true, inWords: "-",
			strings: []quote{{open: `"`, close: `"`, esc: '`', multi: true}, longS},
			keys: "begin break catch class continue data do dynamicparam else elseif end exit filter finally for foreach from function " +
				"if in param process return switch throw trap try until using while",
			consts: "true false null",
		},
		{
			names: "bat cmd batch", line: []string{"::", "rem ", "REM "}, fold: true, variable: '%', strings: []quote{double},
			keys: "call cd cls copy del dir do echo else endlocal errorlevel exist exit for goto if in md mkdir move not off on pause " +
				"rd rmdir set setlocal shift start type",
		},
		{names: "vim vimscript viml", line: []string{`"`}, strings: []quote{single}, calls: true,
			keys: "let set if else elseif endif for endfor while endwhile function endfunction return call autocmd augroup map nmap " +
				"noremap nnoremap inoremap command execute"},
	}
}

// queryLanguages ask for data or describe it.
func queryLanguages() []language {
	return []language{
		{
			names: "sql mysql postgres postgresql psql sqlite plsql tsql", line: []string{"--"}, block: cBlock, fold: true, calls: true,
			strings: []quote{longS, {open: `"`, close: `"`}},
			keys: "add all alter analyze and as asc begin between by cascade case check column commit conflict constraint create " +
				"cross database default delete desc distinct do drop else end except exists explain foreign from full function " +
				"grant group having if in index inner insert intersect into is join key left like limit lock materialized natural " +
				"not nothing null offset on or order outer over partition primary procedure recursive references replace returning " +
				"revoke right rollback select set table then to transaction trigger truncate union unique update using values view " +
				"when where window with",
			kinds: "bigint binary blob boolean char date datetime decimal double float int integer interval json jsonb numeric real " +
				"serial smallint text time timestamp timestamptz uuid varchar",
			consts: "true false",
		},
		{
			names: "graphql gql", line: []string{"#"}, strings: []quote{triple, double}, variable: '$', decorator: '@', types: true,
			keys:  "query mutation subscription fragment on type input enum interface union scalar schema directive extend implements",
			kinds: "Int Float String Boolean ID", consts: "true false null",
		},
		{
			names: "protobuf proto thrift", line: []string{"//", "#"}, block: cBlock, strings: []quote{double, single}, types: true,
			keys: "syntax package import option message enum service rpc returns stream oneof map repeated optional required " +
				"reserved extend extensions to public weak",
			kinds:  "double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes",
			consts: "true false",
		},
	}
}

// buildLanguages say how something is built or set up.
func buildLanguages() []language {
	return []language{
		{
			names: "hcl terraform tf tfvars nix", line: []string{"#", "//"}, block: cBlock, calls: true, inWords: "-",
			strings: []quote{double, {open: "''", close: "''", multi: true}},
			keys: "resource data variable output module provider terraform locals for in if then else let with inherit rec assert " +
				"import dynamic",
			kinds: "string number bool list map set object any", consts: "true false null",
		},
		{
			names: "dockerfile docker containerfile", line: []string{"#"}, hashInWords: true, fold: true, variable: '$',
			strings: []quote{double, single},
			keys: "add arg as cmd copy entrypoint env expose from healthcheck label maintainer onbuild run shell stopsignal user " +
				"volume workdir",
		},
		{
			names: "makefile make mk cmake just justfile", line: []string{"#"}, hashInWords: true, variable: '$',
			strings: []quote{double, single}, inWords: "-",
			keys: "define else endef endif export ifdef ifeq ifndef ifneq include override private undefine unexport vpath if elseif " +
				"foreach endforeach function endfunction set message find_package add_executable add_library target_link_libraries",
		},
	}
}

// formatLanguages have scanners of their own, in formats.go.
func formatLanguages() []language {
	return []language{
		{names: "json jsonc json5 jsonl ndjson webmanifest", scan: scanJSON},
		{names: "yaml yml", scan: scanYAML},
		{names: "toml ini cfg conf config properties editorconfig gitconfig systemd desktop", scan: scanINI},
		{names: "html htm xml svg xhtml vue svelte astro plist xsd xsl rss jsp erb", scan: scanMarkup},
		{names: "css scss sass less", scan: scanCSS},
		{names: "diff patch udiff", scan: scanDiff},
		{names: "markdown md mdx", scan: scanMarkdown},
		{names: "console shell-session sh-session terminal", scan: scanConsole},
	}
}
