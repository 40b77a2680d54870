package git

// apply makes an object from its base and a delta: a list of parts to copy from the base and of bytes to insert.
func apply(base, delta []byte, most int64) ([]byte, error) {
	from, delta, ok := number(delta)
	to, delta, ok2 := number(delta)
	switch {
	case !ok || !ok2 || from != int64(len(base)):
		return nil, ErrDamaged
	case to > most:
		return nil, ErrTooLarge
	}
	out := make([]byte, 0, min(to, int64(len(base)+len(delta))))
	for len(delta) > 0 {
		op := delta[0]
		delta = delta[1:]
		var part []byte
		if op < 0x80 { // insert the next op bytes
			if op == 0 || int(op) > len(delta) {
				return nil, ErrDamaged
			}
			part, delta = delta[:op], delta[op:]
		} else {
			var field [7]int64 // four bytes of the offset, three of the size; those whose bit is not set are 0
			for i := range field {
				if op&(1<<i) == 0 {
					continue
				}
				if len(delta) == 0 {
					return nil, ErrDamaged
				}
				field[i], delta = int64(delta[0]), delta[1:]
			}
			at := field[0] | field[1]<<8 | field[2]<<16 | field[3]<<24
			size := field[4] | field[5]<<8 | field[6]<<16
			if size == 0 {
				size = 1 << 16
			}
			if at+size > int64(len(base)) {
				return nil, ErrDamaged
			}
			part = base[at : at+size]
		}
		if int64(len(out)+len(part)) > to {
			return nil, ErrDamaged
		}
		out = append(out, part...)
	}
	if int64(len(out)) != to {
		return nil, ErrDamaged
	}
	return out, nil
}

// number decodes a size at the start of a delta: seven bits in each byte, the lowest first.
func number(b []byte) (n int64, rest []byte, ok bool) {
	for i := 0; i < len(b) && i < 8; i++ {
		n |= int64(b[i]&0x7f) << (7 * i)
		if b[i] < 0x80 {
			return n, b[i+1:], true
		}
	}
	return 0, nil, false
}
