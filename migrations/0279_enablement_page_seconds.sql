-- Seconds of use by page of a document. Views of the previous version have only their last page.
alter table enablement.content_views add column page_seconds jsonb;

-- Visitors who only entered an email address share a record with everyone who enters it. The holder is the browser, so that
-- nobody sees what another person read.
alter table enablement.room_visits add column holder_id uuid;
