"""The catalogues: `messages.pot` with every sentence a person reads, and a folder for each language that has them all.

`make words` collects the sentences, brings the catalogues up to date and compiles them. A new language begins with
`pybabel init -i webapp/translations/messages.pot -d webapp/translations -l <locale>`.
"""
