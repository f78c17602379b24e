"""A model behind an address: it is asked over HTTP, its answers are kept, and changes of it are told.

``settings`` says where and how it is asked, ``protocols`` how rows and answers are written, ``address`` where this
machine may connect to, ``client`` sends, ``kept`` remembers, ``asking`` does all of it, ``source`` makes it a model.
"""
