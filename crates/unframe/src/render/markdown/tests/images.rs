//! Tests which images belong to the content.

use super::{check, check_regions};

#[test]
fn images_without_a_text_are_kept() {
    check(
        "<p>a</p><figure><img src=a.jpg></figure><p><img src=b.jpg alt=' '>",
        "a\n\n![](a.jpg)\n\n![](b.jpg)",
    );
    check("<a href=/b><img src=a.jpg></a>", "[![](a.jpg)](/b)");
}

#[test]
fn images_that_are_loaded_late_have_their_address() {
    let data = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
    for (image, expected) in [
        (format!("<img src='{data}' data-src=a.jpg alt=A>"), "![A](a.jpg)"),
        ("<img src='' data-lazy-src=a.jpg alt=A>".into(), "![A](a.jpg)"),
        ("<img src=/img/blank.gif data-original=a.jpg alt=A>".into(), "![A](a.jpg)"),
        ("<img src=b.jpg data-src=a.jpg alt=A>".into(), "![A](b.jpg)"),
        ("<img data-srcset='s.jpg 300w, l.jpg 1024w,m.jpg 600w' alt=A>".into(), "![A](l.jpg)"),
        ("<img srcset='s.jpg, l,1.jpg 2x' alt=A>".into(), "![A](l,1.jpg)"),
        ("<picture><source data-srcset=a.webp><img alt=A></picture>".into(), "![A](a.webp)"),
        ("<picture><source srcset=a.webp><img src=a.jpg alt=A></picture>".into(), "![A](a.jpg)"),
        // Without another address, the file may be the image after all.
        ("<img src=loading.jpg alt=A>".into(), "![A](loading.jpg)"),
    ] {
        check(&image, expected);
    }
}

#[test]
fn what_stands_in_for_scripts_is_not_written_twice() {
    check("<img data-src=a.jpg alt=A><noscript><img src=a.jpg alt=A></noscript>", "![A](a.jpg)");
    check("<img src='data:,' alt=A><noscript><img src=a.jpg alt=A></noscript>", "![A](a.jpg)");
}

#[test]
fn pixels_and_placeholders_are_no_images() {
    check("a<img src=a.gif width=1 height=1 alt=Count>b", "a b");
    check(
        "<img src=a.gif height=0><img src=b.gif style='width: 1px'><img src=c.gif style='display:none'>",
        "",
    );
    check("<a href=/><img alt=Logo src='data:image/png;base64,AAAA'></a><img alt=A>", "");
    // An icon without alternative text is decoration.
    check("<img src=a.gif width=16 height=16> b <img src=c.gif width=16 alt=C>", "b ![C](c.gif)");
}

#[test]
fn images_beside_what_is_left_out_are_left_out() {
    check_regions(
        "<div><img src=logo.gif>⟦<a href=/>Home</a>⟧</div><p>b</p><img src=c.jpg><div>⟦d⟧</div>",
        "b\n\n![](c.jpg)",
    );
    check_regions("<p>a</p><div><a href=/b><img src=b.jpg></a>⟦<a href=/b>Next</a>⟧</div>", "a");
    check_regions("<div>⟦menu⟧</div><figure><img src=a.jpg></figure><p>b</p>", "![](a.jpg)\n\nb");
    // An image with an alternative text is kept.
    check_regions("<p>a</p><div><img src=b.jpg alt=B>⟦c⟧</div>", "a\n\n![B](b.jpg)");
}

#[test]
fn buttons_and_advertisements_are_no_images() {
    check("a <a href='http://www.facebook.com/sharer.php?u=x'><img src=fb.gif alt=facebook></a>", "a");
    check("<a href=#c><img src=1.gif alt='Skip to main content'></a>b", "b");
    check("<a href=#content><img src=1.gif></a>b <a href=#c><img src=c.jpg></a>", "b [![](c.jpg)](#c)");
    check("<a href='http://ad.doubleclick.net/1'><img src=b.jpg alt='Click here!'></a>", "");
    check("a <img src='http://d1.openx.org/avw.php?zoneid=1'>", "a");
    // Text weighs more than an image, and a photo may link to a profile.
    check(
        "<a href='http://twitter.com/share?u=x'><img src=t.gif alt=t> Tweet</a>",
        "[![t](t.gif) Tweet](http://twitter.com/share?u=x)",
    );
    check(
        "<a href='http://twitter.com/ann'><img src=ann.jpg alt=Ann></a>",
        "[![Ann](ann.jpg)](http://twitter.com/ann)",
    );
}
