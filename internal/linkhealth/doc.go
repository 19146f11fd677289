// Package linkhealth looks at a document's link as somebody who is not signed in
// would see it, and says whether a reviewer can read what is there.
//
// The link is whatever a user typed. So each address is checked at the moment it is
// dialled, after every redirect and whatever the name server says by then: nothing
// but public addresses on the ports 80 and 443 is reached. Time, redirects, headers
// and what is read are bounded, decompressed bytes too; no cookie, no referrer and no
// proxy of the environment comes with a request, and a host is asked once a second.
// What was met is not kept: it is told as one of four words, and as whether the page
// names somebody.
//
// The check of addresses is code.dny.dev/ssrf: the registries of IANA, generated. The
// package knows nothing of submissions, and no storage.
package linkhealth
