-- A client gives up half a second after the statement timeout, and a request must fail within 6 seconds of an outage.
alter role app set statement_timeout = '3500ms';
