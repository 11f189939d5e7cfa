//! The kinds of synthetic sites (their *make*), one per file, and the list of all makes.

mod docs;
mod forum;
mod news;
mod portal;
mod shop;
mod table;
mod wiki;

use crate::Kind;
use crate::language::{CHINESE, ENGLISH, GERMAN, Language, RUSSIAN};
use crate::page::{Context, Writer};

/// A kind of synthetic site.
#[derive(Debug)]
pub(crate) struct Make {
    pub(crate) name: &'static str,
    /// A seed that makes the random choices of different makes independent. It must never change.
    pub(crate) number: u64,
    pub(crate) language: &'static Language,
    pub(crate) charset: &'static str,
    pub(crate) content_type: &'static str,
    /// The address and name of each section. The last two are added by redesigns and have no pages.
    pub(crate) sections: &'static [(&'static str, &'static str)],
    /// The kinds of the pages after the home page, in a repeating sequence.
    pub(crate) kinds: &'static [Kind],
    pub(crate) write: fn(&Context<'_>, &mut Writer),
}

/// All makes of sites.
pub(crate) const MAKES: [Make; 7] = [
    Make {
        name: "news",
        number: 1,
        language: &ENGLISH,
        charset: "utf-8",
        content_type: "text/html; charset=utf-8",
        sections: &[
            ("town", "Town"),
            ("harbour", "Harbour"),
            ("markets", "Markets"),
            ("letters", "Letters"),
            ("video", "Video"),
            ("newsletter", "Newsletter"),
        ],
        kinds: &[Kind::List, Kind::Article, Kind::Article, Kind::Article, Kind::Article],
        write: news::write,
    },
    Make {
        name: "shop",
        number: 2,
        language: &GERMAN,
        charset: "iso-8859-1",
        content_type: "text/html; charset=ISO-8859-1",
        sections: &[
            ("laternen", "Laternen"),
            ("kruege", "Krüge"),
            ("stuehle", "Stühle & Bänke"),
            ("gewuerze", "Gewürze"),
            ("angebote", "Angebote"),
            ("gutscheine", "Gutscheine für Freunde"),
        ],
        kinds: &[Kind::Product, Kind::Product, Kind::List, Kind::Product],
        write: shop::write,
    },
    Make {
        name: "gazeta",
        number: 3,
        language: &RUSSIAN,
        charset: "windows-1251",
        content_type: "text/html",
        sections: &[
            ("gorod", "Город"),
            ("port", "Порт"),
            ("pogoda", "Погода"),
            ("pisma", "Письма читателей"),
            ("forum", "Форум"),
            ("arhiv", "Архив номеров"),
        ],
        kinds: &[Kind::Article, Kind::List, Kind::Article],
        write: table::write,
    },
    Make {
        name: "portal",
        number: 4,
        language: &CHINESE,
        charset: "gbk",
        content_type: "text/html; charset=gb2312",
        sections: &[
            ("chengshi", "城市"),
            ("gangkou", "港口"),
            ("shichang", "市场"),
            ("tianqi", "天气"),
            ("shipin", "视频"),
            ("shequ", "社区"),
        ],
        kinds: &[Kind::Article, Kind::Article, Kind::List],
        write: portal::write,
    },
    Make {
        name: "forum",
        number: 5,
        language: &ENGLISH,
        charset: "windows-1252",
        content_type: "text/html",
        sections: &[
            ("boats", "Boats"),
            ("clocks", "Clocks"),
            ("bees", "Bees"),
            ("tools", "Tools"),
            ("offtopic", "Off topic"),
            ("feedback", "Feedback"),
        ],
        kinds: &[Kind::Thread, Kind::Thread, Kind::List],
        write: forum::write,
    },
    Make {
        name: "docs",
        number: 6,
        language: &ENGLISH,
        charset: "utf-8",
        content_type: "text/html; charset=UTF-8",
        sections: &[
            ("start", "Getting started"),
            ("guide", "Guide"),
            ("reference", "Reference"),
            ("recipes", "Recipes"),
            ("plugins", "Plug-ins"),
            ("changes", "What is new"),
        ],
        kinds: &[Kind::Docs],
        write: docs::write,
    },
    Make {
        name: "wiki",
        number: 7,
        language: &ENGLISH,
        charset: "utf-8",
        content_type: "text/html; charset=UTF-8",
        sections: &[
            ("Places", "Places"),
            ("People", "People"),
            ("Vessels", "Vessels"),
            ("Events", "Events"),
            ("Portals", "Portals"),
            ("Maps", "Maps"),
        ],
        kinds: &[Kind::Wiki, Kind::Wiki, Kind::Wiki, Kind::List],
        write: wiki::write,
    },
];
