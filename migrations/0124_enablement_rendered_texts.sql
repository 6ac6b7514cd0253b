-- HTML of Markdown texts, written when the text is saved. Null in rows of the previous version: the page of a room renders them once.
alter table enablement.rooms add column welcome_html text, add column renderer_version integer;
alter table enablement.room_items add column body_html text, add column renderer_version integer;
alter table enablement.content_items add column body_html text, add column renderer_version integer;

-- A statement that changes only the text, as those of the previous version do, must not leave the HTML of the former text.
create function enablement.clear_body_html() returns trigger language plpgsql as $$
begin
  if new.body is distinct from old.body and new.body_html is not distinct from old.body_html then
    new.body_html := null;
  end if;
  return new;
end $$;
create trigger clear_body_html before update of body on enablement.room_items
  for each row execute function enablement.clear_body_html();
create trigger clear_body_html before update of body on enablement.content_items
  for each row execute function enablement.clear_body_html();

create function enablement.clear_welcome_html() returns trigger language plpgsql as $$
begin
  if new.welcome is distinct from old.welcome and new.welcome_html is not distinct from old.welcome_html then
    new.welcome_html := null;
  end if;
  return new;
end $$;
create trigger clear_welcome_html before update of welcome on enablement.rooms
  for each row execute function enablement.clear_welcome_html();
