package git

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"io"
	"os"

	"parley/internal/safefs"
)

// pack is a file of many objects with its index, of version 2 each.
type pack struct {
	index, data *os.File
	size        int64 // of data, in bytes
	count       int64
	fanout      [256]uint32 // for each first byte, how many sums begin with it or a smaller one
}

// The parts of the index of a pack, in bytes.
const (
	indexHeader = 8
	fanoutBytes = 256 * 4
	sumsAt      = indexHeader + fanoutBytes
	wide        = 1 << 31 // an offset in the index of the table of wide offsets
)

func openPack(path string) (*pack, error) {
	index, info, err := safefs.OpenFile(path+".idx", safefs.FollowLinks)
	if err != nil {
		return nil, err
	}
	data, dataInfo, err := safefs.OpenFile(path+".pack", safefs.FollowLinks)
	if err != nil {
		_ = index.Close() // nothing was written
		return nil, err
	}
	p := &pack{index: index, data: data, size: dataInfo.Size()}
	if err := p.header(info.Size()); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *pack) close() {
	_ = p.index.Close() // nothing was written
	_ = p.data.Close()
}

// header reads the start of an index.
func (p *pack) header(size int64) error {
	var head [sumsAt]byte
	if _, err := p.index.ReadAt(head[:], 0); err != nil {
		return err
	}
	if !bytes.Equal(head[:indexHeader], []byte("\xfftOc\x00\x00\x00\x02")) {
		return ErrDamaged
	}
	for i := range p.fanout {
		p.fanout[i] = binary.BigEndian.Uint32(head[indexHeader+4*i:])
		if i > 0 && p.fanout[i] < p.fanout[i-1] {
			return ErrDamaged
		}
	}
	p.count = int64(p.fanout[255])
	if size < sumsAt+p.count*(20+4+4)+40 {
		return ErrDamaged
	}
	return nil
}

// find returns the offset of an object in the pack.
func (p *pack) find(sum Sum) (int64, error) {
	low, high := int64(0), int64(p.fanout[sum[0]])
	if sum[0] > 0 {
		low = int64(p.fanout[sum[0]-1])
	}
	var have Sum
	for low < high {
		mid := (low + high) / 2
		if _, err := p.index.ReadAt(have[:], sumsAt+mid*20); err != nil {
			return 0, err
		}
		switch bytes.Compare(sum[:], have[:]) {
		case 0:
			return p.offset(mid)
		case -1:
			high = mid
		default:
			low = mid + 1
		}
	}
	return 0, ErrMissing
}

// offset returns the offset of the object with a number in the order of the sums.
func (p *pack) offset(number int64) (int64, error) {
	var b [8]byte
	offsets := sumsAt + p.count*(20+4)
	if _, err := p.index.ReadAt(b[:4], offsets+number*4); err != nil {
		return 0, err
	}
	at := int64(binary.BigEndian.Uint32(b[:]))
	if at >= wide {
		if _, err := p.index.ReadAt(b[:], offsets+p.count*4+(at-wide)*8); err != nil {
			return 0, err
		}
		at = int64(binary.BigEndian.Uint64(b[:]))
	}
	if at < 0 || at >= p.size {
		return 0, ErrDamaged
	}
	return at, nil
}

// The types of objects in a pack.
var kinds = map[byte]string{1: "commit", 2: "tree", 3: "blob", 4: "tag"}

const (
	offsetDelta = 6
	sumDelta    = 7
)

// object returns the content and the type of the object at an offset. depth bounds the deltas that lead to it.
func (p *pack) object(ctx context.Context, at, most int64, depth int) ([]byte, string, error) {
	var deltas [][]byte
	held := int64(0)
	for ; ; depth-- {
		if err := ctx.Err(); err != nil {
			return nil, "", err
		}
		if depth <= 0 {
			return nil, "", ErrDamaged
		}
		e, err := p.entry(at, most)
		if err != nil {
			return nil, "", err
		}
		switch e.kind {
		case offsetDelta, sumDelta:
			deltas = append(deltas, e.content)
			if held += int64(len(e.content)); held > 2*most {
				return nil, "", ErrTooLarge
			}
			if e.kind == offsetDelta {
				at -= e.back
				continue
			}
			if at, err = p.find(e.base); err != nil { // git writes no delta across packs
				return nil, "", err
			}
			continue
		}
		kind, ok := kinds[e.kind]
		if !ok {
			return nil, "", ErrDamaged
		}
		data, err := applyAll(e.content, deltas, most)
		return data, kind, err
	}
}

// applyAll applies deltas to a base, the last one first.
func applyAll(base []byte, deltas [][]byte, most int64) ([]byte, error) {
	for i := len(deltas) - 1; i >= 0; i-- {
		var err error
		if base, err = apply(base, deltas[i], most); err != nil {
			return nil, err
		}
	}
	return base, nil
}

// packed is an object or a delta in a pack.
type packed struct {
	kind    byte
	content []byte
	back    int64 // of an offsetDelta: how far before it its base begins
	base    Sum   // of a sumDelta
}

// entry reads what begins at an offset.
func (p *pack) entry(at, most int64) (e packed, err error) {
	if at <= 0 || at >= p.size {
		return e, ErrDamaged
	}
	r := bufio.NewReader(io.NewSectionReader(p.data, at, p.size-at))
	b, err := r.ReadByte()
	if err != nil {
		return e, ErrDamaged
	}
	e.kind = b >> 4 & 7
	size, shift := int64(b&15), 4
	for b >= 0x80 {
		if b, err = r.ReadByte(); err != nil || shift > 50 {
			return e, ErrDamaged
		}
		size |= int64(b&0x7f) << shift
		shift += 7
	}
	switch e.kind {
	case offsetDelta:
		for n := 0; ; n++ {
			if b, err = r.ReadByte(); err != nil || n > 7 {
				return e, ErrDamaged
			}
			if n > 0 {
				e.back++
			}
			e.back = e.back<<7 | int64(b&0x7f)
			if b < 0x80 {
				break
			}
		}
		if e.back <= 0 || e.back >= at {
			return e, ErrDamaged
		}
	case sumDelta:
		if _, err = io.ReadFull(r, e.base[:]); err != nil {
			return e, ErrDamaged
		}
	}
	if size > most+most/2+4096 { // a delta may be longer than what it makes
		return e, ErrTooLarge
	}
	z, err := zlib.NewReader(r)
	if err != nil {
		return e, ErrDamaged
	}
	e.content, err = io.ReadAll(io.LimitReader(z, size+1))
	if err != nil || int64(len(e.content)) != size {
		return e, ErrDamaged
	}
	return e, nil
}
