        db nowhere
