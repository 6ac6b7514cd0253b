-- Outcome and amount of the deal, so that insights sum influences without reading deals. Null until the next refresh calculates all of them.
alter table enablement.insight_influences add column is_won boolean, add column amount_base_minor bigint;
create index insight_influences_without_outcome on enablement.insight_influences (tenant_id) where is_won is null;
