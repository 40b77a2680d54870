package install

import (
	"testing"

	"parley/ui/core"
	"parley/ui/list/listtest"
	"parley/ui/panel"
)

func TestOffer(t *testing.T) {
	offer := Offer{core.RuntimeOffer{Title: listtest.Bad, Bytes: 77_100_000}}
	listtest.Check(t, listtest.Case{Source: offer, First: panel.Install{}})
	if e := offer.Choose("no"); e != nil {
		t.Errorf("%#v", e)
	}
}
