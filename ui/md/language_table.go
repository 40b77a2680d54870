package md

import "slices"

const (
	cWords = "if else for while do switch case default break continue return goto sizeof typedef struct union enum " +
		"static const extern inline volatile register "
	cKinds = "void int char short long float double unsigned signed bool size_t ssize_t int8_t int16_t int32_t int64_t " +
		"uint8_t uint16_t uint32_t uint64_t uintptr_t FILE "
	jsWords = "break case catch class const continue debugger default delete do else export extends finally for from " +
		"function if import in instanceof let new of return static super switch throw try typeof var void while with " +
		"yield async await get set "
	jsKnown  = "console window document process module require exports Promise Array Object Math JSON Map Set Symbol globalThis "
	jsConsts = "true false null undefined NaN Infinity this "
)

// languages is the table of what the scanner knows. Its parts are functions, so that nothing is made at the start of the
// program, but only when the first code is drawn. No name stands in two of them.
func languages() []language {
	return slices.Concat(curlyLanguages(), newerLanguages(), webLanguages(), scriptLanguages(), functionalLanguages(), shellLanguages(),
		queryLanguages(), buildLanguages(), formatLanguages())
}

// curlyLanguages are languages with braces, next of kin to C and Java.
func curlyLanguages() []language {
	return []language{
		{
			names: "go golang", line: []string{"//"}, block: cBlock, strings: []quote{double, raw, single}, calls: true,
			keys: "break case chan const continue default defer else fallthrough for func go goto if import interface map " +
				"package range return select struct switch type var",
			kinds: "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string " +
				"uint uint8 uint16 uint32 uint64 uintptr",
			known:  "append cap clear close complex copy delete imag len make max min new panic print println real recover",
			consts: "true false nil iota",
		},
		{
			names: "c h cpp c++ cc cxx hpp hh objc objective-c arduino ino cuda glsl", line: []string{"//"}, block: cBlock,
			strings: []quote{double, single}, calls: true, types: true, directive: '#',
			keys: cWords + "class namespace template typename public private protected virtual override final new delete " +
				"this throw try catch using operator friend constexpr auto explicit mutable noexcept nullptr concept requires " +
				"co_await co_return co_yield static_cast dynamic_cast reinterpret_cast const_cast decltype static_assert",
			kinds: cKinds + "wchar_t string string_view vector map set pair tuple optional unique_ptr shared_ptr",
			known: "std printf malloc free", consts: "true false NULL nullptr",
		},
		{
			names: "java kotlin kt kts scala groovy gradle", line: []string{"//"}, block: cBlock,
			strings: []quote{triple, double, char, single}, calls: true, types: true, decorator: '@',
			keys: "abstract assert break case catch class const continue default do else enum extends final finally for goto if " +
				"implements import in instanceof interface is native new object out override package private protected public " +
				"record return sealed static strictfp super switch synchronized this throw throws transient try var val fun when " +
				"while with yield def trait lateinit companion data suspend inline internal open operator by given using match type",
			kinds: "boolean byte char double float int long short void", consts: "true false null it",
		},
		{
			names: "csharp cs c# fsharp fs", line: []string{"//"}, block: cBlock, strings: []quote{triple, double, char}, calls: true,
			types: true, directive: '#',
			keys: "abstract as async await base break case catch checked class const continue default delegate do else enum event " +
				"explicit extern finally fixed for foreach get goto if implicit in init interface internal is let lock match member " +
				"module namespace new of open operator out override params private protected public readonly record ref required " +
				"return sealed set sizeof stackalloc static struct switch this throw try type typeof unchecked unsafe using var " +
				"virtual when where while with yield",
			kinds:  "bool byte char decimal double dynamic float int long nint object sbyte short string uint ulong ushort void",
			consts: "true false null",
		},
		{
			names: "rust rs", line: []string{"//"}, block: cBlock, nests: true, strings: []quote{longD, char}, calls: true, bang: true,
			types: true, directive: '#',
			keys: "as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut pub " +
				"ref return self Self static struct super trait type unsafe use where while",
			kinds: "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize", consts: "true false",
			known: "Some None Ok Err",
		},
	}
}

// newerLanguages are younger languages with braces.
func newerLanguages() []language {
	return []language{
		{
			names: "swift", line: []string{"//"}, block: cBlock, nests: true, strings: []quote{triple, double}, calls: true, types: true,
			decorator: '@', directive: '#',
			keys: "actor as associatedtype async await break case catch class continue convenience default defer deinit didSet do " +
				"else enum extension fallthrough fileprivate final for func get guard if import in indirect init inout internal is " +
				"lazy let mutating nonisolated open operator override private protocol public repeat required rethrows return set " +
				"some static struct subscript super switch throw throws try typealias unowned var weak where while willSet",
			consts: "true false nil self Self",
		},
		{
			names: "dart", line: []string{"//"}, block: cBlock, strings: []quote{triple, tripleS, double, single}, calls: true,
			types: true, decorator: '@',
			keys: jsWords + "abstract as assert covariant dynamic enum extension external factory final implements interface is late " +
				"library mixin on operator part required rethrow sealed show typedef when",
			kinds: "int double num bool void", consts: "true false null this",
		},
		{
			names: "zig", line: []string{"//"}, strings: []quote{double, char}, calls: true, types: true, decorator: '@',
			keys: "align allowzero and anyframe anytype asm async await break callconv catch comptime const continue defer else enum " +
				"errdefer error export extern fn for if inline noalias nosuspend opaque or orelse packed pub resume return " +
				"struct suspend switch test threadlocal try union unreachable usingnamespace var volatile while",
			kinds:  "bool f16 f32 f64 i8 i16 i32 i64 isize u8 u16 u32 u64 usize void type anyerror noreturn",
			consts: "true false null undefined",
		},
	}
}

// webLanguages are those of servers and browsers.
func webLanguages() []language {
	return []language{
		{
			names: "javascript js mjs cjs jsx node typescript ts mts cts tsx deno", line: []string{"//"}, block: cBlock,
			strings: []quote{double, single, template}, calls: true, types: true, decorator: '@', inWords: "$",
			keys: jsWords + "interface enum implements package private protected public type namespace declare readonly " +
				"abstract as is keyof infer satisfies override unique asserts",
			kinds: "any boolean number string symbol unknown never object bigint void", known: jsKnown, consts: jsConsts,
		},
		{
			names: "php", line: []string{"//", "#"}, block: cBlock, strings: []quote{longD, longS}, calls: true, types: true, variable: '$',
			keys: "abstract and array as break callable case catch class clone const continue declare default do echo else elseif " +
				"enum extends final finally fn for foreach function global goto if implements include include_once instanceof " +
				"interface isset list match namespace new or print private protected public readonly require require_once return " +
				"static switch throw trait try unset use var while xor yield",
			kinds: "bool float int mixed never object string void", consts: "true false null self parent",
		},
	}
}
