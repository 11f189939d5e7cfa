"""An item pipeline for Scrapy: items with `url` and `html` get the `text` of their page without templates.

    ITEM_PIPELINES = {"unframe.adapters.scrapy.UnframePipeline": 300}
    UNFRAME_STATE = "crawl.state"     # learn page by page, and go on in the next crawl; or:
    UNFRAME_MODEL = "site.model"      # what `unframe learn` saved

With UNFRAME_STATE the first pages of a site are compared with few others: templates are known from the fifth page on.
UNFRAME_URL_FIELD, UNFRAME_HTML_FIELD and UNFRAME_TEXT_FIELD name other fields; UNFRAME_DROP_HTML leaves the HTML out.
"""

from __future__ import annotations

from typing import Any, Optional

from itemadapter import ItemAdapter
from scrapy.exceptions import NotConfigured

from .. import Follower, Model


class UnframePipeline:
    """Takes the templates out of the pages of items; items without HTML go on as they are."""

    def __init__(self, settings: Any):
        self.state: Optional[str] = settings.get("UNFRAME_STATE")
        model: Optional[str] = settings.get("UNFRAME_MODEL")
        if bool(self.state) == bool(model):
            raise NotConfigured("set either UNFRAME_STATE (a folder) or UNFRAME_MODEL (a file)")
        self.model = Model.load(model) if model else None
        self.follower: Optional[Follower] = None
        self.url_field = settings.get("UNFRAME_URL_FIELD", "url")
        self.html_field = settings.get("UNFRAME_HTML_FIELD", "html")
        self.text_field = settings.get("UNFRAME_TEXT_FIELD", "text")
        self.drop_html = settings.getbool("UNFRAME_DROP_HTML", False)

    @classmethod
    def from_crawler(cls, crawler: Any) -> "UnframePipeline":
        return cls(crawler.settings)

    def open_spider(self, spider: Any = None) -> None:
        if self.state:
            self.follower = Follower(self.state)

    def close_spider(self, spider: Any = None) -> None:
        if self.follower:
            self.follower.close()

    def process_item(self, item: Any, spider: Any = None) -> Any:
        fields = ItemAdapter(item)
        html = fields.get(self.html_field)
        if html is None:
            return item
        url = fields.get(self.url_field) or ""
        if self.follower:
            page = self.follower.visit(html, url).clean()
        else:
            assert self.model is not None
            page = self.model.clean(html, url)
        fields[self.text_field] = page.text
        if self.drop_html:
            del fields[self.html_field]
        return item
