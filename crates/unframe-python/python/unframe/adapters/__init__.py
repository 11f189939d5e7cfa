"""unframe inside other people's pipelines: `unframe.adapters.datatrove`, `unframe.adapters.scrapy`."""
