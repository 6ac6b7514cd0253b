create schema marketing;
grant usage on schema marketing to app, app_system, app_search;

create schema enablement;
grant usage on schema enablement to app, app_system, app_search;
