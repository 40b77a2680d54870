package git

import "strings"

// index finds the rules of a file that may match a path. Its lists are in the order of the file.
type index struct {
	names      map[string][]int32 // names without wildcards
	paths      map[string][]int32 // anchored paths without wildcards
	extensions map[string][]int32 // patterns such as "*.log", by what comes from their last dot
	others     []int32
}

func indexOf(list []rule) index {
	x := index{names: map[string][]int32{}, paths: map[string][]int32{}, extensions: map[string][]int32{}}
	for i := range list {
		r, at := &list[i], int32(i)
		dot := strings.LastIndexByte(r.suffix, '.')
		switch {
		case r.literal && r.anchored:
			x.paths[r.pattern] = append(x.paths[r.pattern], at)
		case r.literal:
			x.names[r.pattern] = append(x.names[r.pattern], at)
		case dot >= 0:
			x.extensions[r.suffix[dot:]] = append(x.extensions[r.suffix[dot:]], at)
		default:
			x.others = append(x.others, at)
		}
	}
	return x
}

// last returns the last rule that matches a path relative to the base of the file, -1 if none does.
func (r *rules) last(path string, dir bool) int32 {
	best := int32(-1)
	try := func(list []int32) {
		for i := len(list) - 1; i >= 0 && list[i] > best; i-- {
			if r.list[list[i]].matches(path, dir) {
				best = list[i]
			}
		}
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	try(r.index.names[name])
	if len(r.index.paths) > 0 {
		try(r.index.paths[path])
	}
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		try(r.index.extensions[name[dot:]])
	}
	try(r.index.others)
	return best
}
