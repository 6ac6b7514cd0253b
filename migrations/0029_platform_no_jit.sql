-- Statements here read little or are planned without knowing how much: compiling one took longer than running it.
alter role app set jit = off;
alter role app_system set jit = off;
