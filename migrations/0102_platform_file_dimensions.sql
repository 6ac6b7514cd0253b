-- Pixels of images and videos, measured by a job; null if there is no tool for the type.
alter table platform.files
  add column width integer constraint files_width_range check (width between 1 and 1000000),
  add column height integer constraint files_height_range check (height between 1 and 1000000);
