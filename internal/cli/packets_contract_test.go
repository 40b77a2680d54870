//go:build contract && linux

package cli

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// everywhereIsHere starts the loopback device of a fresh network namespace and makes all addresses there are its own, so
// that whatever is sent anywhere passes it.
func everywhereIsHere(t *testing.T) {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		t.Fatal(err)
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo); err != nil {
		t.Fatalf("start the loopback device: %v (are the capabilities of unprivileged user namespaces restricted?)", err)
	}
	device, err := net.InterfaceByName("lo")
	if err != nil {
		t.Fatal(err)
	}
	if err := routeAll(unix.AF_INET, device.Index); err != nil {
		t.Fatal(err)
	}
	if err := routeAll(unix.AF_INET6, device.Index); err != nil {
		t.Logf("no IPv6: %v", err) // then nothing can be reached over it either
	}
}

// routeAll adds a route for all addresses of a family, which makes them local to the device. The message is that of
// rtnetlink(7).
func routeAll(family byte, device int) error {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	const size = unix.SizeofNlMsghdr + unix.SizeofRtMsg + unix.SizeofRtAttr + 4
	b := binary.NativeEndian.AppendUint32(nil, size)
	b = binary.NativeEndian.AppendUint16(b, unix.RTM_NEWROUTE)
	b = binary.NativeEndian.AppendUint16(b, unix.NLM_F_REQUEST|unix.NLM_F_ACK|unix.NLM_F_CREATE)
	b = append(b, make([]byte, 8)...) // sequence and port
	b = append(b, family, 0, 0, 0, unix.RT_TABLE_LOCAL, unix.RTPROT_BOOT, unix.RT_SCOPE_HOST, unix.RTN_LOCAL, 0, 0, 0, 0)
	b = binary.NativeEndian.AppendUint16(b, unix.SizeofRtAttr+4)
	b = binary.NativeEndian.AppendUint16(b, unix.RTA_OIF)
	b = binary.NativeEndian.AppendUint32(b, uint32(device))
	if err := unix.Sendto(fd, b, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	answer := make([]byte, 4096)
	n, _, err := unix.Recvfrom(fd, answer, 0)
	if err != nil || n < unix.SizeofNlMsghdr+4 {
		return errors.Join(err, errors.New("no answer"))
	}
	if code := int32(binary.NativeEndian.Uint32(answer[unix.SizeofNlMsghdr:])); code != 0 {
		return unix.Errno(-code)
	}
	return nil
}

// recordPackets reads every packet on the loopback device. The function returned ends that and says, each once, where
// something was begun: "tcp ADDR:PORT", "udp ADDR:PORT", or which name was asked for.
func recordPackets(t *testing.T) (stop func() []string) {
	t.Helper()
	const everything = unix.ETH_P_ALL<<8 | unix.ETH_P_ALL>>8 // in network order
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, everything&0xffff)
	if err != nil {
		t.Fatal(err)
	}
	device, err := net.InterfaceByName("lo")
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: everything & 0xffff, Ifindex: device.Index}),
		unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, 64<<20),
		unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Usec: 100_000}))
	if err != nil {
		t.Fatal(err)
	}
	ended, done := make(chan struct{}), make(chan struct{})
	var seen []string
	go func() {
		defer close(done)
		buf := make([]byte, 256)
		for {
			n, from, err := unix.Recvfrom(fd, buf, 0)
			if err != nil { // nothing came for a while
				select {
				case <-ended:
					return
				default:
					continue
				}
			}
			if link, ok := from.(*unix.SockaddrLinklayer); !ok || link.Pkttype == unix.PACKET_OUTGOING {
				continue // each comes once out and once in
			}
			if to := beginning(buf[:n]); to != "" && !slices.Contains(seen, to) {
				seen = append(seen, to)
			}
		}
	}()
	end := sync.OnceFunc(func() {
		close(ended)
		<-done
		if stats, err := unix.GetsockoptTpacketStats(fd, unix.SOL_PACKET, unix.PACKET_STATISTICS); err != nil || stats.Drops > 0 {
			t.Errorf("packets were missed: %+v %v", stats, err)
		}
		unix.Close(fd)
	})
	t.Cleanup(end)
	return func() []string {
		end()
		return seen
	}
}

// beginning says where a packet begins something, "" if it belongs to what has begun or says that nobody is there.
func beginning(p []byte) string {
	var to netip.Addr
	var protocol byte
	switch {
	case len(p) >= 20 && p[0]>>4 == 4:
		to, protocol, p = netip.AddrFrom4([4]byte(p[16:20])), p[9], p[min(int(p[0]&15)*4, len(p)):]
	case len(p) >= 40 && p[0]>>4 == 6:
		to, protocol, p = netip.AddrFrom16([16]byte(p[24:40])), p[6], p[40:]
	default:
		return fmt.Sprintf("nowhere that is known: %x", p)
	}
	const syn, ack = 0x02, 0x10
	switch {
	case protocol == unix.IPPROTO_TCP && len(p) >= 14:
		if p[13]&(syn|ack) != syn {
			return ""
		}
		return "tcp " + at(to, p)
	case protocol == unix.IPPROTO_UDP && len(p) >= 8:
		if name := question(p[8:]); binary.BigEndian.Uint16(p[2:]) == 53 && name != "" {
			return "the name " + name + ", asked of " + at(to, p)
		}
		return "udp " + at(to, p)
	case protocol == unix.IPPROTO_ICMP && len(p) > 0 && p[0] == 3, protocol == unix.IPPROTO_ICMPV6 && len(p) > 0 && p[0] == 1:
		return "" // unreachable
	}
	return fmt.Sprintf("protocol %d at %s", protocol, to)
}

func at(to netip.Addr, header []byte) string {
	return netip.AddrPortFrom(to, binary.BigEndian.Uint16(header[2:])).String()
}

// question is the name that a DNS message asks for.
func question(p []byte) string {
	var labels []string
	for p = p[min(12, len(p)):]; len(p) > 0 && p[0] > 0 && int(p[0]) < len(p); p = p[p[0]+1:] {
		labels = append(labels, string(p[1:p[0]+1]))
	}
	return strings.Join(labels, ".")
}
