// Package linkhealth requests a document's link as a visitor without an account, and
// reports whether a reviewer can read the document.
//
// A user chose the link. So each address is checked when it is dialled, after every
// redirect and whatever the name server answers then: only public addresses on the ports
// 80 and 443 are reached. Time, redirects, headers and bytes read, decompressed ones too,
// are bounded; requests carry no cookie and no referrer and use no proxy of the
// environment; each host gets one request a second. A site that answers 403 or 404 is asked
// once more with the user agent of a browser. Nothing of a page is stored but one
// of four results, and whether it contains one of the given names.
//
// The check of addresses is code.dny.dev/ssrf: the registries of IANA, generated. The
// package knows nothing of submissions, and no storage.
package linkhealth
