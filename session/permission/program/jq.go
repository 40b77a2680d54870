package program

import (
	"slices"
	"strings"

	"parley/internal/lazyregexp"
	"parley/session/permission/shell"
)

// jqNames are the functions of jq 1.6 and 1.7 that calculate from their input. Not among them: input, inputs, debug, stderr,
// env, halt, input_filename, modulemeta and what tells where jq's modules are.
var jqNames = strings.Fields(`IN INDEX abs add all any arrays ascii ascii_downcase ascii_upcase booleans bsearch capture ceil
 combinations contains del delpaths empty endswith error explode fabs finites first flatten floor from_entries fromdate
 fromdateiso8601 fromjson fromstream getpath gmtime group_by gsub has implode in index indices infinite inside isempty isfinite
 isinfinite isnan isnormal isvalid iterables join keys keys_unsorted last leaf_paths length limit localtime log log10 log2 ltrim
 ltrimstr map map_values match max max_by min min_by mktime nan normals not now nth nulls numbers objects path paths pick pow
 range recurse reverse rindex round rtrim rtrimstr scalars scan select setpath sort sort_by split splits sqrt startswith
 strflocaltime strftime strings strptime sub test to_entries toarray todate todateiso8601 tojson tonumber tostream tostring
 transpose trim trunc truncate_stream type unique unique_by utf8bytelength values walk with_entries true false null`)

// jqWords are the keywords that name no function, no module and no label.
var jqWords = strings.Fields("if then elif else end and or reduce foreach as try catch")

// jqToken matches the next token of a filter outside of strings.
var jqToken = lazyregexp.New(`^(?:[ \t\r\n]+|\.\.|\.[A-Za-z_][A-Za-z0-9_]*|\$[a-z][A-Za-z0-9_]*` +
	`|@(?:text|json|html|uri|csv|tsv|sh|base64d?|base32d?)\b` +
	`|[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|[A-Za-z_][A-Za-z0-9_]*|\?//|//=?|[-+*/%|=!<>]=|[][(){}.,:;?|=<>+*/%-]|")`)

// jqText matches the next piece of a string.
var jqText = lazyregexp.New(`^(?:[^"\\\x00-\x1f]+|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})`)

// jqOnlyReads reports whether a filter of jq calculates from its input and nothing else. It reads tokens; the names of keys
// are free, those of functions are not.
func jqOnlyReads(filter string) bool {
	if filter == "" || filter[0] == '-' {
		return false
	}
	var open []string // what is not closed yet: ( [ { if " and, for \( in a string, \
	top := func() string {
		if len(open) == 0 {
			return ""
		}
		return open[len(open)-1]
	}
	last := "" // the token before, without blanks
	for filter != "" {
		if top() == `"` {
			if strings.HasPrefix(filter, `\(`) {
				open, filter, last = append(open, `\`), filter[2:], "("
				continue
			}
			if filter[0] == '"' {
				open, filter, last = open[:len(open)-1], filter[1:], `"`
				continue
			}
			text := jqText.FindString(filter)
			if text == "" {
				return false
			}
			filter = filter[len(text):]
			continue
		}
		token := jqToken.FindString(filter)
		if token == "" || token == "?//" {
			return false
		}
		filter = filter[len(token):]
		if strings.TrimSpace(token) == "" {
			continue
		}
		switch token {
		case "(", "[", "{", `"`, "if":
			open = append(open, token)
		case ")", "]", "}", "end":
			if !slices.Contains([]string{"()", `\)`, "[]", "{}", "ifend"}, top()+token) {
				return false
			}
			open = open[:len(open)-1]
		default:
			key := top() == "{" && (last == "{" || last == ",")
			if shell.IsName(token) && !key && !slices.Contains(jqNames, token) && !slices.Contains(jqWords, token) {
				return false
			}
		}
		last = token
	}
	return len(open) == 0
}
